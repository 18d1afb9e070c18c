CREATE TABLE `counters` (
	`workspace` integer NOT NULL,
	`kind` text NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`workspace`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `emails` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`interface` text NOT NULL,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`attachments` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `emails_to` ON `emails` (`workspace`,`to`);--> statement-breakpoint
CREATE TABLE `events` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`interface` text NOT NULL,
	`name` text NOT NULL,
	`data` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `events_workspace` ON `events` (`workspace`);--> statement-breakpoint
CREATE TABLE `keys` (
	`key` text PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`user` text NOT NULL,
	`scopes` text NOT NULL,
	`interfaces` text NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace`) REFERENCES `workspaces`(`number`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `keys_workspace` ON `keys` (`workspace`);--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE TABLE `workspaces` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`timezone` text NOT NULL,
	`modules` text NOT NULL,
	`plan` text NOT NULL,
	`clock_offset` integer NOT NULL,
	`clock_frozen_at` integer,
	`created_at` integer NOT NULL,
	`origin` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_id` ON `workspaces` (`id`);--> statement-breakpoint
CREATE TABLE `catalog_activities` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`type` text NOT NULL,
	`description` text,
	`priority` text DEFAULT 'medium' NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`owner_id` text,
	`entity_type` text,
	`entity_id` text,
	`due_date` integer,
	`duration_minutes` integer,
	`location` text,
	`meeting_url` text,
	`notes` text,
	`completed_at` integer,
	`custom_data` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`title_key` text NOT NULL,
	`search_key` text NOT NULL,
	`due_key` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `catalog_activities_created` ON `catalog_activities` (`workspace`,`created_at`) WHERE "catalog_activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_activities_title` ON `catalog_activities` (`workspace`,`title_key`) WHERE "catalog_activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_activities_due` ON `catalog_activities` (`workspace`,`due_key`) WHERE "catalog_activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_activities_type` ON `catalog_activities` (`workspace`,`type`,`created_at`) WHERE "catalog_activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_activities_status` ON `catalog_activities` (`workspace`,`status`,`created_at`) WHERE "catalog_activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_activities_owner` ON `catalog_activities` (`workspace`,`owner_id`,`created_at`) WHERE "catalog_activities"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_activities_falling_due` ON `catalog_activities` (`workspace`,`due_date`) WHERE "catalog_activities"."status" = 'pending' and "catalog_activities"."deleted_at" is null and "catalog_activities"."due_date" is not null;--> statement-breakpoint
CREATE TABLE `catalog_activity_entities` (
	`workspace` integer NOT NULL,
	`activity_id` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`entity_key` text NOT NULL,
	`main` integer NOT NULL,
	PRIMARY KEY(`workspace`, `activity_id`, `entity_type`, `entity_id`),
	FOREIGN KEY (`workspace`,`activity_id`) REFERENCES `catalog_activities`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `catalog_activity_entities_entity` ON `catalog_activity_entities` (`workspace`,`entity_key`,`activity_id`);--> statement-breakpoint
CREATE TABLE `catalog_product_plans` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`product_id` text NOT NULL,
	`name` text NOT NULL,
	`price` text NOT NULL,
	`currency` text NOT NULL,
	`billing_period` text,
	`billing_interval` integer,
	`trial_days` integer DEFAULT 0 NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`product_id`) REFERENCES `catalog_products`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `catalog_product_plans_product` ON `catalog_product_plans` (`workspace`,`product_id`);--> statement-breakpoint
CREATE TABLE `catalog_products` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`category` text,
	`sku` text,
	`description` text,
	`base_price` text,
	`currency` text,
	`tax_rate` text,
	`unit` text,
	`status` text DEFAULT 'active' NOT NULL,
	`owner_id` text,
	`has_variants` integer DEFAULT false NOT NULL,
	`metadata` text NOT NULL,
	`sort_order` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`name_key` text NOT NULL,
	`search_key` text NOT NULL,
	`price_key` text NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `catalog_products_created` ON `catalog_products` (`workspace`,`created_at`) WHERE "catalog_products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_products_name` ON `catalog_products` (`workspace`,`name_key`) WHERE "catalog_products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_products_price` ON `catalog_products` (`workspace`,`price_key`) WHERE "catalog_products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_products_type` ON `catalog_products` (`workspace`,`type`,`created_at`) WHERE "catalog_products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_products_status` ON `catalog_products` (`workspace`,`status`,`created_at`) WHERE "catalog_products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_products_category` ON `catalog_products` (`workspace`,`category`,`created_at`) WHERE "catalog_products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `catalog_products_owner` ON `catalog_products` (`workspace`,`owner_id`,`created_at`) WHERE "catalog_products"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`subscription` text NOT NULL,
	`interface` text NOT NULL,
	`event` text NOT NULL,
	`url` text NOT NULL,
	`origin` text NOT NULL,
	`body` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`attempts` text NOT NULL,
	`round` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_id` ON `webhook_deliveries` (`workspace`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_workspace` ON `webhook_deliveries` (`workspace`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`workspace`,`event`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_owed` ON `webhook_deliveries` (`workspace`,`origin`,`next_attempt_at`) WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_dead` ON `webhook_deliveries` (`workspace`) WHERE "webhook_deliveries"."status" = 'dead';--> statement-breakpoint
CREATE TABLE `webhook_subscriptions` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`interface` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_subscriptions_interface` ON `webhook_subscriptions` (`workspace`,`interface`);