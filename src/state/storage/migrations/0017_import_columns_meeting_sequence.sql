ALTER TABLE `meetings_meetings` ADD `sequence` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `recruiting_imports` ADD `columns` text;