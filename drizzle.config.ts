import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/state/*/tables.ts', './src/webhooks/deliveries/tables.ts'],
  out: './src/state/storage/migrations',
})
