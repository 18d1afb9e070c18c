CREATE TABLE `stored_files` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `stored_files_hash` ON `stored_files` (`hash`);