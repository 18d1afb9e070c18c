/** The tables of signage, parents before children. Durations are integers in ms, in the tables and in snapshots. */
import type { RecordSet } from '../storage/records/records.ts'
import { actions } from './actions.ts'
import { deletedNames } from './deletedNames.ts'
import { groups } from './groups.ts'
import { layouts, layoutZones } from './layouts.ts'
import { media } from './mediaRecords.ts'
import { pairingCodes } from './pairing.ts'
import { playbackRecords, playbackSumRecords } from './playbacks.ts'
import { playlistItems, playlists } from './playlists.ts'
import { scheduleGroups, scheduleRules, schedules, scheduleScreens } from './schedules.ts'
import { screens } from './screenRecords.ts'

export const signageRecords: readonly RecordSet[] = [
  groups,
  screens,
  pairingCodes,
  actions,
  media,
  playlists,
  playlistItems,
  layouts,
  layoutZones,
  schedules,
  scheduleRules,
  scheduleScreens,
  scheduleGroups,
  playbackRecords,
  playbackSumRecords,
  deletedNames,
]
