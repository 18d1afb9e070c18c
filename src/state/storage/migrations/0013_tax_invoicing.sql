CREATE TABLE `tax_cancellations` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`motivo` text NOT NULL,
	`uuid_sustitucion` text,
	`status` text DEFAULT 'pending_acceptance' NOT NULL,
	`requested_at` integer NOT NULL,
	`resolved_at` integer,
	`due_at` integer,
	`resolved_by` text,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`invoice_id`) REFERENCES `tax_invoices`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tax_cancellations_invoice` ON `tax_cancellations` (`workspace`,`invoice_id`,`requested_at`);--> statement-breakpoint
CREATE INDEX `tax_cancellations_due` ON `tax_cancellations` (`workspace`,`due_at`) WHERE "tax_cancellations"."status" = 'pending_acceptance' and "tax_cancellations"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `tax_certificates` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`number` text NOT NULL,
	`valid_from` integer NOT NULL,
	`valid_until` integer NOT NULL,
	`next_at` integer,
	`warned_at` integer,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `tax_certificates_next` ON `tax_certificates` (`workspace`,`next_at`) WHERE "tax_certificates"."next_at" is not null;--> statement-breakpoint
CREATE TABLE `tax_clients` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`rfc` text NOT NULL,
	`nombre` text NOT NULL,
	`regimen_fiscal` text,
	`domicilio_fiscal` text,
	`uso_cfdi_default` text,
	`email` text,
	`telefono` text,
	`invoice_count` integer DEFAULT 0 NOT NULL,
	`invoiced_cents` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`name_key` text NOT NULL,
	`search_key` text NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `tax_clients_rfc` ON `tax_clients` (`workspace`,`rfc`);--> statement-breakpoint
CREATE INDEX `tax_clients_created` ON `tax_clients` (`workspace`,`created_at`);--> statement-breakpoint
CREATE TABLE `tax_invoices` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`uuid` text NOT NULL,
	`serie` text NOT NULL,
	`folio` integer NOT NULL,
	`type` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`date` integer NOT NULL,
	`emisor` text NOT NULL,
	`receptor` text NOT NULL,
	`conceptos` text NOT NULL,
	`impuestos` text NOT NULL,
	`relaciones` text NOT NULL,
	`subtotal` text NOT NULL,
	`descuento` text,
	`total_trasladados` text NOT NULL,
	`total_retenidos` text NOT NULL,
	`total` text NOT NULL,
	`moneda` text NOT NULL,
	`tipo_cambio` text,
	`metodo_pago` text,
	`forma_pago` text,
	`lugar_expedicion` text NOT NULL,
	`exportacion` text NOT NULL,
	`paid` text DEFAULT '0' NOT NULL,
	`substituted_by` text,
	`cancelled_at` integer,
	`stamped_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`receptor_rfc` text NOT NULL,
	`receptor_key` text NOT NULL,
	`total_key` real NOT NULL,
	`mxn_cents` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_invoices_uuid` ON `tax_invoices` (`workspace`,`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `tax_invoices_folio` ON `tax_invoices` (`workspace`,`serie`,`folio`);--> statement-breakpoint
CREATE INDEX `tax_invoices_date` ON `tax_invoices` (`workspace`,`date`);--> statement-breakpoint
CREATE INDEX `tax_invoices_recipient` ON `tax_invoices` (`workspace`,`receptor_rfc`,`date`);--> statement-breakpoint
CREATE TABLE `tax_products` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`nombre_interno` text NOT NULL,
	`clave_prod_serv` text NOT NULL,
	`descripcion` text NOT NULL,
	`clave_unidad` text NOT NULL,
	`valor_unitario` text NOT NULL,
	`objeto_imp` text NOT NULL,
	`impuestos` text NOT NULL,
	`usage_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`name_key` text NOT NULL,
	`search_key` text NOT NULL,
	`price_key` real NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE INDEX `tax_products_created` ON `tax_products` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `tax_products_key` ON `tax_products` (`workspace`,`clave_prod_serv`,`descripcion`);--> statement-breakpoint
CREATE TABLE `tax_receipt_documents` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`uuid` text NOT NULL,
	`position` integer NOT NULL,
	`moneda_dr` text NOT NULL,
	`equivalencia` text NOT NULL,
	`num_parcialidad` integer NOT NULL,
	`saldo_anterior` text NOT NULL,
	`importe_pagado` text NOT NULL,
	`saldo_insoluto` text NOT NULL,
	`objeto_imp_dr` text NOT NULL,
	`impuestos_dr` text NOT NULL,
	`live` integer DEFAULT true NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`receipt_id`) REFERENCES `tax_payment_receipts`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tax_receipt_documents_receipt` ON `tax_receipt_documents` (`workspace`,`receipt_id`,`position`);--> statement-breakpoint
CREATE INDEX `tax_receipt_documents_invoice` ON `tax_receipt_documents` (`workspace`,`uuid`,`num_parcialidad`);--> statement-breakpoint
CREATE TABLE `tax_payment_receipts` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`fecha_pago` integer NOT NULL,
	`forma_pago` text NOT NULL,
	`moneda` text NOT NULL,
	`tipo_cambio` text NOT NULL,
	`monto` text NOT NULL,
	`numero_operacion` text,
	`rfc_banco_ordenante` text,
	`cuenta_ordenante` text,
	`rfc_banco_beneficiario` text,
	`cuenta_beneficiaria` text,
	`receptor_rfc` text NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`id`) REFERENCES `tax_invoices`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tax_payment_receipts_created` ON `tax_payment_receipts` (`workspace`,`created_at`);--> statement-breakpoint
CREATE INDEX `tax_payment_receipts_recipient` ON `tax_payment_receipts` (`workspace`,`receptor_rfc`,`created_at`);--> statement-breakpoint
CREATE TABLE `tax_series` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`serie` text NOT NULL,
	`last_folio` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_series_name` ON `tax_series` (`workspace`,`serie`);--> statement-breakpoint
CREATE TABLE `tax_stamped_xml` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`xml` text NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`),
	FOREIGN KEY (`workspace`,`id`) REFERENCES `tax_invoices`(`workspace`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `tax_taxpayers` (
	`workspace` integer NOT NULL,
	`id` text NOT NULL,
	`rfc` text NOT NULL,
	`nombre` text NOT NULL,
	`regimen_fiscal` text,
	`flagged` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`workspace`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tax_taxpayers_rfc` ON `tax_taxpayers` (`workspace`,`rfc`);