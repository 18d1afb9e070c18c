/**
 * How the point of sale delivers: {id, event, createdAt, data} and the X-Service headers, which is what every
 * interface does unless it says otherwise. Specification part 2, "Events".
 */
import { profile } from '../../webhooks/profile.ts'

export const posProfile = profile({ interface: 'pos' })
