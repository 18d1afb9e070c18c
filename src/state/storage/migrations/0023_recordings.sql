CREATE TABLE `recording_steps` (
	`recording` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`recording`) REFERENCES `recordings`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recording_steps_recording` ON `recording_steps` (`recording`);--> statement-breakpoint
CREATE TABLE `recordings` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`name` text NOT NULL,
	`scope` integer NOT NULL,
	`started_at` integer NOT NULL,
	`stopped_at` integer,
	`ended_by` text,
	`steps` integer DEFAULT 0 NOT NULL,
	`bytes` integer NOT NULL,
	`start` text NOT NULL,
	`end` text,
	`id_source_before` text,
	FOREIGN KEY (`workspace`) REFERENCES `workspaces`(`number`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recordings_workspace` ON `recordings` (`workspace`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `id_source` text;