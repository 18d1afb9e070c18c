CREATE TABLE `integration_charges` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`order_id` text NOT NULL,
	`link_id` text,
	`customer_id` text NOT NULL,
	`product_code` text NOT NULL,
	`concept` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`payment_provider` text NOT NULL,
	`card_brand` text,
	`card_last4` text,
	`is_test` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`customer_id`) REFERENCES `integration_customers`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `integration_charges_customer` ON `integration_charges` (`workspace`,`customer_id`);--> statement-breakpoint
CREATE TABLE `integration_customers` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`phone` text,
	`status` text DEFAULT 'active' NOT NULL,
	`payment_provider` text,
	`customer_vault_id` text,
	`card_last4` text,
	`card_brand` text,
	`card_bin` text,
	`card_exp` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `integration_customers_created` ON `integration_customers` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `integration_customers_status` ON `integration_customers` (`workspace`,`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `integration_links` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`hash_url` text NOT NULL,
	`link_type` text NOT NULL,
	`status` text DEFAULT 'pending' NOT NULL,
	`customer_name` text NOT NULL,
	`name_key` text NOT NULL,
	`customer_email` text,
	`concept` text,
	`amount` integer,
	`currency` text NOT NULL,
	`product_code` text,
	`is_test` integer NOT NULL,
	`payment_methods` text,
	`request_customer_email` integer NOT NULL,
	`redirect_url` text,
	`metadata` text,
	`payment_provider` text,
	`card_last4` text,
	`card_brand` text,
	`card_bin` text,
	`card_exp` text,
	`order_id` text,
	`customer_id` text,
	`expires_at` integer NOT NULL,
	`completed_at` integer,
	`cancelled_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`customer_id`) REFERENCES `integration_customers`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `integration_links_hash` ON `integration_links` (`workspace`,`hash_url`);--> statement-breakpoint
CREATE INDEX `integration_links_created` ON `integration_links` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `integration_links_status` ON `integration_links` (`workspace`,`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `integration_links_expiring` ON `integration_links` (`workspace`,`expires_at`) WHERE "integration_links"."status" = 'pending';--> statement-breakpoint
CREATE TABLE `integration_products` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`product_code` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`payment_type` text NOT NULL,
	`requires_subscription` integer NOT NULL,
	`price` integer NOT NULL,
	`currency` text NOT NULL,
	`billing_period` text,
	`billing_interval` integer,
	`status` text DEFAULT 'active' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `integration_products_code` ON `integration_products` (`workspace`,`product_code`);--> statement-breakpoint
CREATE INDEX `integration_products_created` ON `integration_products` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `payment_links` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`amount` integer,
	`currency` text NOT NULL,
	`description` text,
	`status` text DEFAULT 'active' NOT NULL,
	`payment_methods` text NOT NULL,
	`logo_url` text,
	`expires_at` integer,
	`max_payments` integer,
	`reference` text,
	`metadata` text NOT NULL,
	`paid_at` integer,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `payment_links_created` ON `payment_links` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `payment_links_status` ON `payment_links` (`workspace`,`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `payment_links_expiring` ON `payment_links` (`workspace`,`expires_at`) WHERE "payment_links"."status" = 'active' and "payment_links"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `payment_refunds` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`amount` integer NOT NULL,
	`status` text DEFAULT 'processing' NOT NULL,
	`reason` text,
	`settlement_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`settlement_id`) REFERENCES `payment_settlements`(`workspace`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace`,`transaction_id`) REFERENCES `payment_transactions`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `payment_refunds_transaction` ON `payment_refunds` (`workspace`,`transaction_id`);--> statement-breakpoint
CREATE INDEX `payment_refunds_unsettled` ON `payment_refunds` (`workspace`,`transaction_id`) WHERE "payment_refunds"."settlement_id" is null;--> statement-breakpoint
CREATE TABLE `payment_settlements` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`amount` integer NOT NULL,
	`fees` integer NOT NULL,
	`net_amount` integer NOT NULL,
	`currency` text NOT NULL,
	`transactions_count` integer NOT NULL,
	`status` text DEFAULT 'processing' NOT NULL,
	`bank_account_last_four` text NOT NULL,
	`deposited_at` integer,
	`period_from` integer NOT NULL,
	`period_to` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `payment_settlements_created` ON `payment_settlements` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `payment_settlements_status` ON `payment_settlements` (`workspace`,`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `payment_transactions` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`link_id` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`payment_method` text NOT NULL,
	`card_last_four` text,
	`customer_name` text,
	`customer_email` text,
	`refunded_amount` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`attempt` text,
	`settlement_id` text,
	`completed_at` integer,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`link_id`) REFERENCES `payment_links`(`workspace`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace`,`settlement_id`) REFERENCES `payment_settlements`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payment_transactions_created` ON `payment_transactions` (`workspace`,`created_at`,`amount`);--> statement-breakpoint
CREATE INDEX `payment_transactions_status` ON `payment_transactions` (`workspace`,`status`,`created_at`,`amount`);--> statement-breakpoint
CREATE INDEX `payment_transactions_method` ON `payment_transactions` (`workspace`,`payment_method`,`created_at`,`amount`);--> statement-breakpoint
CREATE INDEX `payment_transactions_link` ON `payment_transactions` (`workspace`,`link_id`,`created_at`,`status`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_transactions_attempt` ON `payment_transactions` (`workspace`,`attempt`) WHERE "payment_transactions"."attempt" is not null;--> statement-breakpoint
CREATE INDEX `payment_transactions_completed` ON `payment_transactions` (`workspace`,`payment_method`,`completed_at`,`amount`,`refunded_amount`) WHERE "payment_transactions"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX `payment_transactions_unsettled` ON `payment_transactions` (`workspace`,`completed_at`) WHERE "payment_transactions"."completed_at" is not null and "payment_transactions"."settlement_id" is null;