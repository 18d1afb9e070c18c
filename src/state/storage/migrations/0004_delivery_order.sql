DROP INDEX `webhook_deliveries_owed`;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `record` text;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `held` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_order` ON `webhook_deliveries` (`workspace`,`subscription`,`record`) WHERE "webhook_deliveries"."status" = 'pending' and "webhook_deliveries"."record" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`workspace`) WHERE "webhook_deliveries"."held" = 1;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_owed` ON `webhook_deliveries` (`workspace`,`origin`,`held`,`next_attempt_at`) WHERE "webhook_deliveries"."status" = 'pending';