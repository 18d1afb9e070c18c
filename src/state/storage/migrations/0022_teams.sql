ALTER TABLE `workspaces` ADD `control_token` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `ttl` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `labels` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_control_token` ON `workspaces` (`control_token`);--> statement-breakpoint
CREATE INDEX `workspaces_expires_at` ON `workspaces` (`expires_at`);