CREATE TABLE `meetings_meetings` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`public_meeting_id` text NOT NULL,
	`title` text NOT NULL,
	`starts_at` integer NOT NULL,
	`is_instant` integer NOT NULL,
	`language` text,
	`status` text DEFAULT 'ACTIVE' NOT NULL,
	`organizer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `meetings_meetings_public` ON `meetings_meetings` (`workspace`,`public_meeting_id`);--> statement-breakpoint
CREATE INDEX `meetings_meetings_created` ON `meetings_meetings` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `meetings_participants` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`meeting_id` text NOT NULL,
	`external_id` text,
	`preset_name` text NOT NULL,
	`name` text,
	`email` text,
	`token_id` text NOT NULL,
	`token_issued_at` integer NOT NULL,
	`session_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`meeting_id`) REFERENCES `meetings_meetings`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `meetings_participants_external` ON `meetings_participants` (`workspace`,`meeting_id`,`external_id`) WHERE "meetings_participants"."external_id" is not null;--> statement-breakpoint
CREATE INDEX `meetings_participants_session` ON `meetings_participants` (`workspace`,`session_id`) WHERE "meetings_participants"."session_id" is not null;--> statement-breakpoint
CREATE TABLE `meetings_sessions` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`meeting_id` text NOT NULL,
	`status` text DEFAULT 'live' NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`attendees` text NOT NULL,
	`transcript_file_id` text,
	`summary` text,
	`next_at` integer,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`meeting_id`) REFERENCES `meetings_meetings`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `meetings_sessions_meeting` ON `meetings_sessions` (`workspace`,`meeting_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `meetings_sessions_due` ON `meetings_sessions` (`workspace`,`next_at`) WHERE "meetings_sessions"."next_at" is not null;