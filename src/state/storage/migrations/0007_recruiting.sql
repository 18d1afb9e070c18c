CREATE TABLE `recruiting_applications` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`vacancy_id` text NOT NULL,
	`candidate_id` text NOT NULL,
	`stage` text DEFAULT 'new' NOT NULL,
	`furthest` integer DEFAULT 0 NOT NULL,
	`match_score` integer NOT NULL,
	`source` text,
	`applied_at` integer NOT NULL,
	`hired_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`country` text,
	`city` text,
	`experience_years` real,
	`skills` text NOT NULL,
	`name_key` text NOT NULL,
	`experience_key` real NOT NULL,
	`skill_key` text NOT NULL,
	`city_key` text NOT NULL,
	`country_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`candidate_id`) REFERENCES `recruiting_candidates`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`workspace`,`vacancy_id`) REFERENCES `recruiting_vacancies`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recruiting_applications_pair` ON `recruiting_applications` (`workspace`,`vacancy_id`,`candidate_id`);--> statement-breakpoint
CREATE INDEX `recruiting_applications_vacancy` ON `recruiting_applications` (`workspace`,`vacancy_id`,`applied_at`);--> statement-breakpoint
CREATE INDEX `recruiting_applications_candidate` ON `recruiting_applications` (`workspace`,`candidate_id`,`applied_at`);--> statement-breakpoint
CREATE INDEX `recruiting_applications_applied` ON `recruiting_applications` (`workspace`,`applied_at`,`furthest`);--> statement-breakpoint
CREATE INDEX `recruiting_applications_hired` ON `recruiting_applications` (`workspace`,`hired_at`,`applied_at`,`vacancy_id`) WHERE "recruiting_applications"."hired_at" is not null;--> statement-breakpoint
CREATE TABLE `recruiting_candidates` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`country` text,
	`city` text,
	`experience_years` real,
	`technical_skills` text NOT NULL,
	`soft_skills` text NOT NULL,
	`availability` text,
	`preferred_modality` text,
	`salary_expectation` text,
	`summary` text,
	`jobs` text NOT NULL,
	`education` text NOT NULL,
	`languages` text NOT NULL,
	`cv_file_id` text,
	`portfolio_url` text,
	`linkedin_url` text,
	`tags` text NOT NULL,
	`source` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`email_key` text NOT NULL,
	`search_key` text NOT NULL,
	`skill_key` text NOT NULL,
	`tag_key` text NOT NULL,
	`city_key` text NOT NULL,
	`country_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `recruiting_candidates_email` ON `recruiting_candidates` (`workspace`,`email_key`);--> statement-breakpoint
CREATE INDEX `recruiting_candidates_created` ON `recruiting_candidates` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `recruiting_evaluations` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`interview_id` text NOT NULL,
	`interviewer_email` text NOT NULL,
	`overall_score` real NOT NULL,
	`criteria` text NOT NULL,
	`weighted_score` real,
	`recommendation` text NOT NULL,
	`notes` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`interview_id`) REFERENCES `recruiting_interviews`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recruiting_evaluations_interview` ON `recruiting_evaluations` (`workspace`,`interview_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `recruiting_import_rows` (
	`workspace` integer NOT NULL,
	`import_id` text NOT NULL,
	`position` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`workspace`, `import_id`, `position`),
	FOREIGN KEY (`workspace`,`import_id`) REFERENCES `recruiting_imports`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `recruiting_imports` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`status` text DEFAULT 'processing' NOT NULL,
	`source` text,
	`tags` text NOT NULL,
	`total_rows` integer NOT NULL,
	`processed` integer DEFAULT 0 NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`problems` text NOT NULL,
	`duplicate_rows` text NOT NULL,
	`started_by` text NOT NULL,
	`started_at` integer NOT NULL,
	`completed_at` integer,
	`next_at` integer,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `recruiting_imports_next` ON `recruiting_imports` (`workspace`,`next_at`) WHERE "recruiting_imports"."next_at" is not null;--> statement-breakpoint
CREATE TABLE `recruiting_interviews` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`vacancy_id` text NOT NULL,
	`candidate_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text DEFAULT 'scheduled' NOT NULL,
	`scheduled_at` integer NOT NULL,
	`duration_minutes` integer NOT NULL,
	`timezone` text NOT NULL,
	`interviewers` text NOT NULL,
	`candidate_preparation` text,
	`internal_notes` text,
	`external_room_url` text,
	`candidate_notified` integer NOT NULL,
	`organizer_id` text NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`cancel_reason` text,
	`cancel_notes` text,
	`cancelled_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`interviewer_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`candidate_id`) REFERENCES `recruiting_candidates`(`workspace`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace`,`vacancy_id`) REFERENCES `recruiting_vacancies`(`workspace`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recruiting_interviews_created` ON `recruiting_interviews` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `recruiting_interviews_scheduled` ON `recruiting_interviews` (`workspace`,`scheduled_at`,`status`,`ends_at`);--> statement-breakpoint
CREATE INDEX `recruiting_interviews_candidate` ON `recruiting_interviews` (`workspace`,`candidate_id`,`scheduled_at`);--> statement-breakpoint
CREATE TABLE `recruiting_notes` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`candidate_id` text NOT NULL,
	`content` text NOT NULL,
	`visibility` text DEFAULT 'team' NOT NULL,
	`author_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`candidate_id`) REFERENCES `recruiting_candidates`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recruiting_notes_candidate` ON `recruiting_notes` (`workspace`,`candidate_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `recruiting_stage_changes` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`application_id` text NOT NULL,
	`previous_stage` text NOT NULL,
	`new_stage` text NOT NULL,
	`notes` text,
	`changed_by` text NOT NULL,
	`changed_at` integer NOT NULL,
	`notification_sent` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`application_id`) REFERENCES `recruiting_applications`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recruiting_stage_changes_application` ON `recruiting_stage_changes` (`workspace`,`application_id`,`changed_at`);--> statement-breakpoint
CREATE TABLE `recruiting_vacancies` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`department` text,
	`description` text,
	`responsibilities` text NOT NULL,
	`mandatory` text NOT NULL,
	`desirable` text NOT NULL,
	`benefits` text NOT NULL,
	`skills` text NOT NULL,
	`country` text,
	`city` text,
	`modality` text,
	`contract_type` text,
	`level` text,
	`min_experience_years` real,
	`salary_range` text,
	`openings` integer DEFAULT 1 NOT NULL,
	`visibility` text DEFAULT 'public' NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`applications_count` integer DEFAULT 0 NOT NULL,
	`views_count` integer DEFAULT 0 NOT NULL,
	`published_at` integer,
	`closes_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`department_key` text,
	`search_key` text NOT NULL,
	`closing_at` integer,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recruiting_vacancies_slug` ON `recruiting_vacancies` (`workspace`,`slug`);--> statement-breakpoint
CREATE INDEX `recruiting_vacancies_created` ON `recruiting_vacancies` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `recruiting_vacancies_closing` ON `recruiting_vacancies` (`workspace`,`closing_at`) WHERE "recruiting_vacancies"."closing_at" is not null;