CREATE TABLE `forms_forms` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`status` text DEFAULT 'draft' NOT NULL,
	`slug` text NOT NULL,
	`is_public` integer NOT NULL,
	`default_mode` text DEFAULT 'conversational' NOT NULL,
	`fields` text NOT NULL,
	`settings` text NOT NULL,
	`published_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `forms_forms_slug` ON `forms_forms` (`workspace`,`slug`);--> statement-breakpoint
CREATE INDEX `forms_forms_created` ON `forms_forms` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `forms_forms_id` ON `forms_forms` (`id`);--> statement-breakpoint
CREATE TABLE `forms_responses` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`form_id` text NOT NULL,
	`status` text DEFAULT 'completed' NOT NULL,
	`mode` text NOT NULL,
	`respondent_email` text,
	`answers` text NOT NULL,
	`started_at` integer NOT NULL,
	`completed_at` integer NOT NULL,
	`total_time_seconds` integer NOT NULL,
	`completion_percentage` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`form_id`) REFERENCES `forms_forms`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `forms_responses_form` ON `forms_responses` (`workspace`,`form_id`,`created_at`);