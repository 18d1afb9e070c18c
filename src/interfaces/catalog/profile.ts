/** How the catalog delivers: as most interfaces do (assumed, for the specification shows no webhooks of it). */
import { profile } from '../../webhooks/profile.ts'

export const catalogProfile = profile({ interface: 'catalog' })
