CREATE TABLE `crm_automations` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`type` text DEFAULT 'workflow' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`event` text NOT NULL,
	`trigger` text NOT NULL,
	`actions` text NOT NULL,
	`executions_count` integer DEFAULT 0 NOT NULL,
	`last_executed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `crm_automations_created` ON `crm_automations` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `crm_automations_event` ON `crm_automations` (`workspace`,`event`);--> statement-breakpoint
CREATE TABLE `crm_contacts` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`phone` text,
	`company` text,
	`position` text,
	`vertical` text,
	`tags` text NOT NULL,
	`custom_fields` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`email_key` text,
	`name_key` text NOT NULL,
	`search_key` text NOT NULL,
	`tag_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `crm_contacts_email` ON `crm_contacts` (`workspace`,`email_key`) WHERE "crm_contacts"."email_key" is not null;--> statement-breakpoint
CREATE INDEX `crm_contacts_created` ON `crm_contacts` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `crm_contacts_updated` ON `crm_contacts` (`workspace`,`updated_at`);--> statement-breakpoint
CREATE INDEX `crm_contacts_name` ON `crm_contacts` (`workspace`,`name_key`);--> statement-breakpoint
CREATE INDEX `crm_contacts_vertical` ON `crm_contacts` (`workspace`,`vertical`,`created_at`);--> statement-breakpoint
CREATE TABLE `crm_activities` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`contact_id` text,
	`deal_id` text,
	`owner_id` text,
	`subject` text NOT NULL,
	`description` text,
	`duration_minutes` integer,
	`status` text DEFAULT 'planned' NOT NULL,
	`due_at` integer,
	`completed_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`contact_id`) REFERENCES `crm_contacts`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`deal_id`) REFERENCES `crm_deals`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `crm_activities_created` ON `crm_activities` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `crm_activities_contact` ON `crm_activities` (`workspace`,`contact_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `crm_activities_deal` ON `crm_activities` (`workspace`,`deal_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `crm_activities_type` ON `crm_activities` (`workspace`,`type`,`created_at`);--> statement-breakpoint
CREATE INDEX `crm_activities_owner` ON `crm_activities` (`workspace`,`owner_id`,`created_at`,`deal_id`);--> statement-breakpoint
CREATE TABLE `crm_deals` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`contact_id` text,
	`pipeline_id` text NOT NULL,
	`stage_id` text NOT NULL,
	`value` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`expected_close_date` text,
	`owner_id` text,
	`custom_fields` text NOT NULL,
	`stage_entered_at` integer NOT NULL,
	`closed_at` integer,
	`close_reason` text,
	`close_notes` text,
	`competitor` text,
	`vertical` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`contact_id`) REFERENCES `crm_contacts`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`pipeline_id`) REFERENCES `crm_pipelines`(`workspace`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace`,`stage_id`) REFERENCES `crm_stages`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `crm_deals_created` ON `crm_deals` (`workspace`,`created_at`,`value`);--> statement-breakpoint
CREATE INDEX `crm_deals_status` ON `crm_deals` (`workspace`,`status`,`created_at`,`value`);--> statement-breakpoint
CREATE INDEX `crm_deals_pipeline` ON `crm_deals` (`workspace`,`pipeline_id`,`created_at`,`status`,`value`,`closed_at`);--> statement-breakpoint
CREATE INDEX `crm_deals_stage` ON `crm_deals` (`workspace`,`stage_id`,`created_at`,`status`,`value`,`closed_at`);--> statement-breakpoint
CREATE INDEX `crm_deals_owner` ON `crm_deals` (`workspace`,`owner_id`,`created_at`,`status`,`value`,`closed_at`,`pipeline_id`);--> statement-breakpoint
CREATE INDEX `crm_deals_vertical` ON `crm_deals` (`workspace`,`vertical`,`created_at`,`status`,`value`,`closed_at`,`pipeline_id`);--> statement-breakpoint
CREATE INDEX `crm_deals_contact` ON `crm_deals` (`workspace`,`contact_id`);--> statement-breakpoint
CREATE INDEX `crm_deals_expected` ON `crm_deals` (`workspace`,`status`,`expected_close_date`,`pipeline_id`,`stage_id`,`value`);--> statement-breakpoint
CREATE INDEX `crm_deals_closed` ON `crm_deals` (`workspace`,`status`,`closed_at`,`pipeline_id`,`value`);--> statement-breakpoint
CREATE TABLE `crm_executions` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`automation_id` text NOT NULL,
	`status` text NOT NULL,
	`trigger_event` text NOT NULL,
	`trigger_data` text NOT NULL,
	`actions_executed` text NOT NULL,
	`failure_reason` text,
	`duration_ms` integer NOT NULL,
	`executed_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`automation_id`) REFERENCES `crm_automations`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `crm_executions_automation` ON `crm_executions` (`workspace`,`automation_id`,`executed_at`);--> statement-breakpoint
CREATE TABLE `crm_pipelines` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`vertical` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `crm_pipelines_created` ON `crm_pipelines` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `crm_segments` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE TABLE `crm_stage_stays` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`deal_id` text NOT NULL,
	`stage_id` text NOT NULL,
	`entered_at` integer NOT NULL,
	`left_at` integer,
	`reason` text,
	`deal_created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`deal_id`) REFERENCES `crm_deals`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `crm_stage_stays_deal` ON `crm_stage_stays` (`workspace`,`deal_id`);--> statement-breakpoint
CREATE INDEX `crm_stage_stays_stage` ON `crm_stage_stays` (`workspace`,`stage_id`,`deal_created_at`,`entered_at`,`left_at`);--> statement-breakpoint
CREATE TABLE `crm_stages` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`pipeline_id` text NOT NULL,
	`name` text NOT NULL,
	`probability` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`pipeline_id`) REFERENCES `crm_pipelines`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `crm_stages_pipeline` ON `crm_stages` (`workspace`,`pipeline_id`,`position`);--> statement-breakpoint
CREATE TABLE `crm_teams` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`members` text NOT NULL,
	`turns` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE TABLE `crm_templates` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE TABLE `crm_waiting_steps` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`automation_id` text NOT NULL,
	`actions` text NOT NULL,
	`trigger_event` text NOT NULL,
	`trigger_data` text NOT NULL,
	`chain` text NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`automation_id`) REFERENCES `crm_automations`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `crm_waiting_steps_due` ON `crm_waiting_steps` (`workspace`,`due_at`);--> statement-breakpoint
CREATE INDEX `crm_waiting_steps_automation` ON `crm_waiting_steps` (`workspace`,`automation_id`);