CREATE TABLE `signage_actions` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`screen_id` text NOT NULL,
	`action` text NOT NULL,
	`reason` text,
	`status` text DEFAULT 'queued' NOT NULL,
	`error` text,
	`result_url` text,
	`requested_at` integer NOT NULL,
	`finished_at` integer,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`screen_id`) REFERENCES `signage_screens`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signage_actions_screen` ON `signage_actions` (`workspace`,`screen_id`,`requested_at`);--> statement-breakpoint
CREATE TABLE `signage_groups` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `signage_groups_created` ON `signage_groups` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `signage_layout_zones` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`layout_id` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`x` text NOT NULL,
	`y` text NOT NULL,
	`width` text NOT NULL,
	`height` text NOT NULL,
	`content_type` text,
	`playlist_id` text,
	`media_id` text,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`layout_id`) REFERENCES `signage_layouts`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`playlist_id`) REFERENCES `signage_playlists`(`workspace`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace`,`media_id`) REFERENCES `signage_media`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `signage_layout_zones_layout` ON `signage_layout_zones` (`workspace`,`layout_id`,`position`);--> statement-breakpoint
CREATE INDEX `signage_layout_zones_playlist` ON `signage_layout_zones` (`workspace`,`playlist_id`,`layout_id`);--> statement-breakpoint
CREATE INDEX `signage_layout_zones_media` ON `signage_layout_zones` (`workspace`,`media_id`,`layout_id`);--> statement-breakpoint
CREATE TABLE `signage_layouts` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`resolution` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `signage_layouts_created` ON `signage_layouts` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `signage_media` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`file_id` text NOT NULL,
	`file_name` text NOT NULL,
	`mime_type` text NOT NULL,
	`file_size` integer NOT NULL,
	`width` integer,
	`height` integer,
	`duration_ms` integer,
	`folder_id` text,
	`tags` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`search_key` text NOT NULL,
	`tag_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`file_id`) REFERENCES `stored_files`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `signage_media_created` ON `signage_media` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `signage_media_file` ON `signage_media` (`workspace`,`file_id`);--> statement-breakpoint
CREATE TABLE `signage_pairing_codes` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`code` text NOT NULL,
	`status` text DEFAULT 'issued' NOT NULL,
	`expires_at` integer,
	`reusable` integer DEFAULT false NOT NULL,
	`screen_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signage_pairing_codes_code` ON `signage_pairing_codes` (`workspace`,`code`);--> statement-breakpoint
CREATE INDEX `signage_pairing_codes_expiring` ON `signage_pairing_codes` (`workspace`,`expires_at`) WHERE "signage_pairing_codes"."status" = 'issued' and "signage_pairing_codes"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `signage_playback_sums` (
	`workspace` integer NOT NULL,
	`span` text NOT NULL,
	`starts_at` integer NOT NULL,
	`screen_id` text NOT NULL,
	`media_id` text NOT NULL,
	`playlist_id` text NOT NULL,
	`plays` integer NOT NULL,
	`completed` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`workspace`, `span`, `starts_at`, `screen_id`, `media_id`, `playlist_id`),
	FOREIGN KEY (`workspace`,`screen_id`) REFERENCES `signage_screens`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signage_playback_sums_screen` ON `signage_playback_sums` (`workspace`,`screen_id`);--> statement-breakpoint
CREATE TABLE `signage_playbacks` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`screen_id` text NOT NULL,
	`media_id` text NOT NULL,
	`playlist_id` text,
	`duration_ms` integer NOT NULL,
	`completed` integer NOT NULL,
	`played_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`screen_id`) REFERENCES `signage_screens`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signage_playbacks_played` ON `signage_playbacks` (`workspace`,`played_at`);--> statement-breakpoint
CREATE INDEX `signage_playbacks_screen` ON `signage_playbacks` (`workspace`,`screen_id`);--> statement-breakpoint
CREATE TABLE `signage_playlist_items` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`playlist_id` text NOT NULL,
	`media_id` text NOT NULL,
	`position` integer NOT NULL,
	`duration_ms` integer,
	`transition` text NOT NULL,
	`transition_ms` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`playlist_id`) REFERENCES `signage_playlists`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`media_id`) REFERENCES `signage_media`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `signage_playlist_items_playlist` ON `signage_playlist_items` (`workspace`,`playlist_id`,`position`);--> statement-breakpoint
CREATE INDEX `signage_playlist_items_media` ON `signage_playlist_items` (`workspace`,`media_id`,`playlist_id`);--> statement-breakpoint
CREATE TABLE `signage_playlists` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`playback_mode` text NOT NULL,
	`shuffle` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`search_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `signage_playlists_created` ON `signage_playlists` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `signage_schedule_groups` (
	`workspace` integer NOT NULL,
	`schedule_id` text NOT NULL,
	`group_id` text NOT NULL,
	PRIMARY KEY(`workspace`, `schedule_id`, `group_id`),
	FOREIGN KEY (`workspace`,`schedule_id`) REFERENCES `signage_schedules`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`group_id`) REFERENCES `signage_groups`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signage_schedule_groups_group` ON `signage_schedule_groups` (`workspace`,`group_id`,`schedule_id`);--> statement-breakpoint
CREATE TABLE `signage_schedule_rules` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`schedule_id` text NOT NULL,
	`position` integer NOT NULL,
	`days` text NOT NULL,
	`start_minute` integer NOT NULL,
	`end_minute` integer NOT NULL,
	`playlist_id` text,
	`layout_id` text,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`schedule_id`) REFERENCES `signage_schedules`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`playlist_id`) REFERENCES `signage_playlists`(`workspace`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace`,`layout_id`) REFERENCES `signage_layouts`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `signage_schedule_rules_schedule` ON `signage_schedule_rules` (`workspace`,`schedule_id`,`position`);--> statement-breakpoint
CREATE INDEX `signage_schedule_rules_playlist` ON `signage_schedule_rules` (`workspace`,`playlist_id`,`schedule_id`);--> statement-breakpoint
CREATE INDEX `signage_schedule_rules_layout` ON `signage_schedule_rules` (`workspace`,`layout_id`,`schedule_id`);--> statement-breakpoint
CREATE TABLE `signage_schedule_screens` (
	`workspace` integer NOT NULL,
	`schedule_id` text NOT NULL,
	`screen_id` text NOT NULL,
	PRIMARY KEY(`workspace`, `schedule_id`, `screen_id`),
	FOREIGN KEY (`workspace`,`schedule_id`) REFERENCES `signage_schedules`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`screen_id`) REFERENCES `signage_screens`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `signage_schedule_screens_screen` ON `signage_schedule_screens` (`workspace`,`screen_id`,`schedule_id`);--> statement-breakpoint
CREATE TABLE `signage_schedules` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`priority` integer NOT NULL,
	`active` integer NOT NULL,
	`start_date` text,
	`end_date` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `signage_schedules_created` ON `signage_schedules` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `signage_screens` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'online' NOT NULL,
	`orientation` text NOT NULL,
	`resolution` text NOT NULL,
	`volume` integer NOT NULL,
	`brightness` integer NOT NULL,
	`location` text,
	`group_id` text,
	`last_sync` integer,
	`silent_at` integer,
	`status_since` integer NOT NULL,
	`up_ms` integer DEFAULT 0 NOT NULL,
	`uptime_ms` integer DEFAULT 0 NOT NULL,
	`uptime_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`search_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`group_id`) REFERENCES `signage_groups`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `signage_screens_created` ON `signage_screens` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `signage_screens_group` ON `signage_screens` (`workspace`,`group_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `signage_screens_silent` ON `signage_screens` (`workspace`,`silent_at`) WHERE "signage_screens"."silent_at" is not null;--> statement-breakpoint
CREATE INDEX `signage_screens_status` ON `signage_screens` (`workspace`,`status`,`status_since`,`up_ms`,`created_at`);