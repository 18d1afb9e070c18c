DROP INDEX `lite_taxpayers_ruc`;--> statement-breakpoint
CREATE UNIQUE INDEX `lite_taxpayers_ruc` ON `lite_taxpayers` (`workspace`,`ruc`,`type`);