DROP INDEX `payment_transactions_completed`;--> statement-breakpoint
CREATE INDEX `payment_transactions_completed` ON `payment_transactions` (`workspace`,`payment_method`,`completed_at`,`amount`,`refunded_amount`,`currency`) WHERE "payment_transactions"."completed_at" is not null;--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `failure_reason` text;--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `returned_settlement_id` text;