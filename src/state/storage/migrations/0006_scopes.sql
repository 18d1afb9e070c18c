CREATE TABLE `discarded_scopes` (
	`scope` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE `workspaces` ADD `scope` integer;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `base` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_scope` ON `workspaces` (`scope`);