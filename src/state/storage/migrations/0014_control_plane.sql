CREATE TABLE `coverage` (
	`workspace` integer PRIMARY KEY NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `journal` (
	`workspace` integer NOT NULL,
	`last` integer NOT NULL,
	`highest` integer NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `journal_workspace` ON `journal` (`workspace`);--> statement-breakpoint
CREATE TABLE `saved_snapshots` (
	`workspace` integer NOT NULL,
	`name` text NOT NULL,
	`scope` integer NOT NULL,
	`head` text NOT NULL,
	`records` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `name`),
	FOREIGN KEY (`workspace`) REFERENCES `workspaces`(`number`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `emails` ADD `html` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `test_cards` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `progression` text DEFAULT 'clock' NOT NULL;