ALTER TABLE `workspaces` ADD `readings` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `meetings_participants` ADD `invited_for` integer;--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `announced` integer DEFAULT true NOT NULL;