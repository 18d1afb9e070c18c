CREATE TABLE `chat_agents` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`number` integer,
	`name` text,
	`email` text,
	`role` text NOT NULL,
	`availability` text NOT NULL,
	`confirmed` integer NOT NULL,
	`removed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE TABLE `chat_contacts` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`phone_number` text,
	`identifier` text,
	`custom_attributes` text NOT NULL,
	`additional_attributes` text NOT NULL,
	`last_activity_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`name_key` text NOT NULL,
	`email_key` text NOT NULL,
	`phone_key` text NOT NULL,
	`activity_key` integer NOT NULL,
	`search_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `chat_contacts_email` ON `chat_contacts` (`workspace`,`email_key`);--> statement-breakpoint
CREATE INDEX `chat_contacts_phone` ON `chat_contacts` (`workspace`,`phone_key`);--> statement-breakpoint
CREATE INDEX `chat_contacts_identifier` ON `chat_contacts` (`workspace`,`identifier`);--> statement-breakpoint
CREATE INDEX `chat_contacts_created` ON `chat_contacts` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `chat_conversations` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`contact_id` text NOT NULL,
	`status` text NOT NULL,
	`priority` text,
	`vip` integer NOT NULL,
	`labels` text NOT NULL,
	`custom_attributes` text NOT NULL,
	`additional_attributes` text NOT NULL,
	`assignee_id` text,
	`team_id` text,
	`unread_count` integer NOT NULL,
	`snoozed_until` integer,
	`last_activity_at` integer NOT NULL,
	`contact_wrote_at` integer,
	`first_reply_at` integer,
	`waiting_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`activity_key` integer NOT NULL,
	`activity_key_up` integer NOT NULL,
	`creation_key` integer NOT NULL,
	`creation_key_up` integer NOT NULL,
	`wakes_at` integer,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`contact_id`) REFERENCES `chat_contacts`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_conversations_activity` ON `chat_conversations` (`workspace`,`status`,`activity_key`);--> statement-breakpoint
CREATE INDEX `chat_conversations_assignee` ON `chat_conversations` (`workspace`,`status`,`assignee_id`);--> statement-breakpoint
CREATE INDEX `chat_conversations_contact` ON `chat_conversations` (`workspace`,`contact_id`);--> statement-breakpoint
CREATE INDEX `chat_conversations_next` ON `chat_conversations` (`workspace`,`wakes_at`) WHERE "chat_conversations"."wakes_at" is not null;--> statement-breakpoint
CREATE TABLE `chat_counters` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE TABLE `chat_inboxes` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`channel_type` text NOT NULL,
	`website_url` text,
	`greeting_enabled` integer NOT NULL,
	`greeting_message` text,
	`enable_auto_assignment` integer NOT NULL,
	`out_of_office_message` text,
	`working_hours_enabled` integer NOT NULL,
	`disconnected_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `chat_inboxes_created` ON `chat_inboxes` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `chat_messages` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`conversation_id` text NOT NULL,
	`inbox_id` text NOT NULL,
	`content` text,
	`message_type` text NOT NULL,
	`content_type` text NOT NULL,
	`content_attributes` text NOT NULL,
	`additional_attributes` text NOT NULL,
	`status` text NOT NULL,
	`private` integer NOT NULL,
	`sender_type` text,
	`sender_id` text,
	`source_id` text,
	`attachments` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`search_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`conversation_id`) REFERENCES `chat_conversations`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_messages_conversation` ON `chat_messages` (`workspace`,`conversation_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `chat_teams` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`allow_auto_assign` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
