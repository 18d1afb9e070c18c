ALTER TABLE `workspaces` ADD `readings` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `announced` integer DEFAULT true NOT NULL;