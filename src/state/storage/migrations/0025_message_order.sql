DROP INDEX `chat_messages_conversation`;--> statement-breakpoint
CREATE INDEX `chat_messages_conversation` ON `chat_messages` (`workspace`,`conversation_id`);--> statement-breakpoint
DROP INDEX IF EXISTS `chat_messages_by_conversation_id`;
