CREATE TABLE `signage_deleted_names` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `traceparent` text;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `tracestate` text;