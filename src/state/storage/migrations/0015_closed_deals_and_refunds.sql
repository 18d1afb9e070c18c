DROP INDEX `crm_deals_pipeline`;--> statement-breakpoint
DROP INDEX `crm_deals_stage`;--> statement-breakpoint
CREATE INDEX `crm_deals_closed` ON `crm_deals` (`workspace`,`closed_at`) WHERE "crm_deals"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX `crm_deals_pipeline` ON `crm_deals` (`workspace`,`pipeline_id`,`created_at`,`status`,`value`);--> statement-breakpoint
CREATE INDEX `crm_deals_stage` ON `crm_deals` (`workspace`,`stage_id`,`created_at`,`status`,`value`,`currency`);--> statement-breakpoint
DROP INDEX `payment_transactions_completed`;--> statement-breakpoint
CREATE INDEX `payment_transactions_completed` ON `payment_transactions` (`workspace`,`payment_method`,`completed_at`,`amount`,`refunded_amount`,`currency`) WHERE "payment_transactions"."completed_at" is not null;--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `failure_reason` text;--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `returned_settlement_id` text;