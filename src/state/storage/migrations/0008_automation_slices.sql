CREATE TABLE `crm_unfinished_changes` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`executions` integer NOT NULL,
	`cut_off` text NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `crm_unfinished_changes_due` ON `crm_unfinished_changes` (`workspace`,`due_at`);--> statement-breakpoint
CREATE TABLE `crm_unseen_events` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`change_id` text NOT NULL,
	`trigger_event` text NOT NULL,
	`trigger_data` text NOT NULL,
	`chain` text NOT NULL,
	`automations` text,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`change_id`) REFERENCES `crm_unfinished_changes`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `crm_unseen_events_change` ON `crm_unseen_events` (`workspace`,`change_id`);