CREATE TABLE `lite_invoices` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`number` integer NOT NULL,
	`branch_id` text NOT NULL,
	`cufe` text NOT NULL,
	`status` text DEFAULT 'authorized' NOT NULL,
	`recipient` text NOT NULL,
	`items` text NOT NULL,
	`payments` text NOT NULL,
	`sub_total` text NOT NULL,
	`tax_total` text NOT NULL,
	`total` text NOT NULL,
	`canceled_at` integer,
	`reason` text,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `lite_invoices_number` ON `lite_invoices` (`workspace`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `lite_invoices_cufe` ON `lite_invoices` (`workspace`,`cufe`);--> statement-breakpoint
CREATE TABLE `lite_taxpayers` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`ruc` text NOT NULL,
	`name` text NOT NULL,
	`type` integer NOT NULL,
	`dv` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `lite_taxpayers_ruc` ON `lite_taxpayers` (`workspace`,`ruc`);