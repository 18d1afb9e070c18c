/** Made by `npm run docs` from what the control plane publishes of itself; not to be edited. */

/* oxlint-disable */

export interface components {
  schemas: {
    Health: {
      /** @constant */
      status: 'ok'
      version: string
      uptimeSeconds: number
    }
    ControlError: {
      error: {
        code: string
        message: string
        details?: {
          field: string
          code: string
          message: string
        }[]
      }
    }
    WorkspaceCreate: {
      name?: string
      /** @description What it starts with: nothing (the default), a handful of records of each kind (small), the same with a year of a company around them (demo), or a snapshot. */
      fixtures?:
        | ('none' | 'small' | 'demo')
        | {
            [key: string]: unknown
          }
      /** @description An ISO 4217 currency code. */
      currency?: string
      /** @description An IANA time zone. */
      timezone?: string
    }
    CreatedWorkspace: {
      workspace: components['schemas']['Workspace']
      user: components['schemas']['User']
      /** @description Serves all interfaces. */
      key: string
    }
    Workspace: {
      id: string
      name: string
      /** @description Its account in the conversations interface. */
      accountId: number
      /** @description An ISO 4217 currency code. */
      currency: string
      /** @description An IANA time zone. */
      timezone: string
      modules: {
        products: boolean
      }
      plan: {
        apiAccess: boolean
      }
      /** @description Whether pages on which people pay show the cards of tests. */
      testCards: boolean
      /**
       * @description When what was begun goes on by itself (imports, transcripts, implicit acceptance): on the clock, at once, or by triggers alone.
       * @enum {string}
       */
      progression: 'clock' | 'immediate' | 'manual'
      /** Format: date-time */
      createdAt: string
    }
    User: {
      id: string
      name: string
      /** Format: email */
      email: string
    }
    WorkspaceChange: {
      /** @description An ISO 4217 currency code. */
      currency?: string
      /** @description An IANA time zone. */
      timezone?: string
      modules?: {
        products?: boolean
      }
      plan?: {
        apiAccess?: boolean
      }
      /** @description Whether pages on which people pay show the cards of tests. */
      testCards?: boolean
      /**
       * @description When what was begun goes on by itself (imports, transcripts, implicit acceptance): on the clock, at once, or by triggers alone.
       * @enum {string}
       */
      progression?: 'clock' | 'immediate' | 'manual'
    }
    UserCreate: {
      name: string
      /** Format: email */
      email: string
    }
    KeyCreate: {
      workspaceId: string
      /** @description What the key may do; "*" is everything. Each must be a scope that some operation asks for. */
      scopes?: string[]
      /** @description Which interfaces the key serves; "*" is all. */
      interfaces?: (
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
        | '*'
      )[]
      /** @description Whose key it is; by default the workspace's first user. */
      userId?: string
      /** @description A date, such as 2026-01-31, or a date-time. By the workspace's clock. A date is the beginning of its day, and a date-time without an offset a time of the clocks, in the time zone of the workspace (assumed). */
      expiresAt?: string | null
    }
    Key: {
      key: string
      workspaceId: string
      userId: string
      /** @description What the key may do; "*" is everything. Each must be a scope that some operation asks for. */
      scopes: string[]
      /** @description Which interfaces the key serves; "*" is all. */
      interfaces: (
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
        | '*'
      )[]
      /** Format: date-time */
      expiresAt: string | null
      /** Format: date-time */
      createdAt: string
    }
    /** @description The format, settings, users and counters, then a section for each interface with its records. */
    Snapshot: {
      [key: string]: unknown
    }
    SavedSnapshotCreate: {
      name: string
    }
    SavedSnapshot: {
      name: string
      /** @description How many it holds. */
      records: number
      /** Format: date-time */
      createdAt: string
    }
    WorkspaceClone: {
      name?: string
    }
    Clock: {
      /** Format: date-time */
      now: string
      frozen: boolean
    }
    DueJob: {
      /** @description The kind of job; webhooks.attempt is an attempt to deliver a webhook. */
      job: string
      /**
       * Format: date-time
       * @description By the workspace's clock.
       */
      at: string
      /** @description The id of the delivery that is attempted. */
      delivery: string | null
      /** @description Of an attempt in the past: why it is not made yet. */
      heldBackBy: string | null
    }
    ClockChange: {
      /** @description A date, such as 2026-01-31, or a date-time. A date is the beginning of its day, and a date-time without an offset a time of the clocks, in the time zone of the workspace (assumed). */
      now?: string
      frozen?: boolean
    }
    Advance: {
      /** @description ISO 8601, not negative. */
      duration: string
      /** @description How long webhook receivers are waited for in all. Default is 5000. */
      waitMs?: number
    }
    Advanced: {
      /** Format: date-time */
      now: string
      frozen: boolean
      /** @description Whether all that fell due has happened, attempts to deliver webhooks included. */
      complete: boolean
      /** @description What fell due and happened, by kind. */
      ran: {
        job: string
        count: number
      }[]
      deliveries: {
        /** @description Attempts that ended. */
        sent: number
        /** @description Deliveries that are due and whose attempt has not ended. */
        pending: number
      }
    }
    Trigger: {
      name: string
      summary: string
      /** @description JSON Schema of its body. */
      body: {
        [key: string]: unknown
      }
      /** @description JSON Schema of what it answers with. */
      result: {
        [key: string]: unknown
      }
      fidelity: {
        /** @enum {string} */
        status: 'documented' | 'assumed'
        why?: string
      }
    }
    StateMachine: {
      name: string
      title: string
      states: string[]
      /** @description The states a record may be created in, the default first. */
      initial: string[]
      moves: {
        name: string
        from: string[]
        to: string
        /** @description Who or what makes the move. */
        by: string
        emits?: string
        /** @description States in which the move changes nothing and is no error. */
        settledIn?: string[]
        fidelity: {
          /** @enum {string} */
          status: 'documented' | 'assumed'
          why?: string
        }
      }[]
      /** @description A Mermaid state diagram. */
      diagram: string
    }
    SubscriptionCreate: {
      /** @enum {string} */
      interface:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
      url: string
      /** @description Event names; "*" is all of the interface. Default is ["*"]. */
      events?: string[]
      /** @description Made up unless given. */
      secret?: string
    }
    CreatedSubscription: {
      id: string
      /** @enum {string} */
      interface:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
      url: string
      events: string[]
      active: boolean
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      updatedAt: string
      /** @description Keys the signatures; shown here only. */
      secret: string
    }
    Subscription: {
      id: string
      /** @enum {string} */
      interface:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
      url: string
      events: string[]
      active: boolean
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      updatedAt: string
    }
    Delivery: {
      id: string
      interface: string
      event: string
      url: string
      /** @enum {string} */
      status: 'pending' | 'delivered' | 'dead'
      attempts: {
        /** Format: date-time */
        at: string
        /** @description The receiver's status; null when it did not answer. */
        status: number | null
        durationMs: number
        error: string | null
      }[]
      /** Format: date-time */
      nextAttemptAt: string | null
      payload: {
        [key: string]: unknown
      }
    }
    Email: {
      id: string
      interface: string
      to: string
      subject: string
      text: string
      attachments: {
        filename: string
        contentType: string
        size: number
      }[]
      /** Format: date-time */
      at: string
    }
    WholeEmail: {
      id: string
      interface: string
      to: string
      subject: string
      text: string
      attachments: {
        filename: string
        contentType: string
        size: number
      }[]
      /** Format: date-time */
      at: string
      /** @description null where there is the text alone. */
      html: string | null
    }
    JournalEntry: {
      id: string
      /** Format: date-time */
      at: string
      /** @enum {string} */
      interface:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
      /** @description null where no operation is at this address. */
      operation: string | null
      method: string
      path: string
      status: number
      durationMs: number
      /** @description Whose key it was. */
      caller: {
        userId: string
      } | null
      refusal: {
        reason: string
        message: string
      } | null
      /** @description The id of the fault that it met. */
      fault?: string
      request: {
        query: {
          [key: string]: unknown
        }
        /** @description Without credentials. */
        headers: {
          [key: string]: string
        }
        /** @description JSON where it is, else its text; null where there was none, or it is a file. Secrets and numbers of cards are redacted. */
        body: unknown
        /** @description How long the whole is, where more was sent than is kept. */
        cutFrom?: number
      }
      response: {
        /** @description Without credentials. */
        headers: {
          [key: string]: string
        }
        /** @description JSON where it is, else its text; null where there was none, or it is a file. Secrets and numbers of cards are redacted. */
        body: unknown
        /** @description How long the whole is, where more was sent than is kept. */
        cutFrom?: number
      }
    }
    WholeJournalEntry: {
      id: string
      /** Format: date-time */
      at: string
      /** @enum {string} */
      interface:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
      /** @description null where no operation is at this address. */
      operation: string | null
      method: string
      path: string
      status: number
      durationMs: number
      /** @description Whose key it was. */
      caller: {
        userId: string
      } | null
      refusal: {
        reason: string
        message: string
      } | null
      /** @description The id of the fault that it met. */
      fault?: string
      request: {
        query: {
          [key: string]: unknown
        }
        /** @description Without credentials. */
        headers: {
          [key: string]: string
        }
        /** @description JSON where it is, else its text; null where there was none, or it is a file. Secrets and numbers of cards are redacted. */
        body: unknown
        /** @description How long the whole is, where more was sent than is kept. */
        cutFrom?: number
      }
      response: {
        /** @description Without credentials. */
        headers: {
          [key: string]: string
        }
        /** @description JSON where it is, else its text; null where there was none, or it is a file. Secrets and numbers of cards are redacted. */
        body: unknown
        /** @description How long the whole is, where more was sent than is kept. */
        cutFrom?: number
      }
      /** @description What the caller may not have noticed. */
      hints: {
        code: string
        message: string
      }[]
      /** @description What has followed from it, in order. */
      effects: {
        /** @enum {string} */
        kind: 'request' | 'trigger' | 'job' | 'transition' | 'event' | 'delivery' | 'email'
        /** @description Of the event, delivery or e-mail; section and id of a record. */
        id: string
        title: string
      }[]
    }
    GroupedHint: {
      code: string
      message: string
      count: number
      /** @description The newest first; at most 25. */
      requests: string[]
    }
    UnmatchedJournalEntry: {
      id: string
      /** Format: date-time */
      at: string
      /**
       * @description At whose base path it was; null where nothing is mounted.
       * @enum {string|null}
       */
      interface:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
        | 'control'
        | 'files'
        | null
      /** @description null where no operation is at this address. */
      operation: string | null
      method: string
      path: string
      status: number
      durationMs: number
      /** @description Whose key it was. */
      caller: {
        userId: string
      } | null
      refusal: {
        reason: string
        message: string
      } | null
      /** @description The id of the fault that it met. */
      fault?: string
      request: {
        query: {
          [key: string]: unknown
        }
        /** @description Without credentials. */
        headers: {
          [key: string]: string
        }
        /** @description JSON where it is, else its text; null where there was none, or it is a file. Secrets and numbers of cards are redacted. */
        body: unknown
        /** @description How long the whole is, where more was sent than is kept. */
        cutFrom?: number
      }
      response: {
        /** @description Without credentials. */
        headers: {
          [key: string]: string
        }
        /** @description JSON where it is, else its text; null where there was none, or it is a file. Secrets and numbers of cards are redacted. */
        body: unknown
        /** @description How long the whole is, where more was sent than is kept. */
        cutFrom?: number
      }
      /** @description What is wrong with the call. */
      hints: {
        code: string
        message: string
      }[]
    }
    FaultCreate: {
      /**
       * @description outage answers 503 with Retry-After, flaky 500 in three of ten, slow waits three seconds; other fields change that.
       * @enum {string}
       */
      preset?: 'outage' | 'flaky' | 'slow'
      /**
       * @description All unless it is said.
       * @enum {string}
       */
      interface?:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
      /** @enum {string} */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** @description Full, or relative to the base path; * stands for any segment. */
      path?: string
      /** @description Answered in the place of the real answer; 429 comes with Retry-After: 1 unless headers say so. */
      status?: number
      /** @description JSON, or a text; the error body of the interface unless it is said. */
      body?: unknown
      headers?: {
        [key: string]: string
      }
      /** @description Before the answer, the real one where no status is said. */
      delayMs?: number
      /** @description Cuts the connection. */
      reset?: boolean
      /** @description How often; without end unless it is said. */
      times?: number
      /** @description Which calls it hits is the same in each run. */
      probability?: number
      /**
       * @description Deliveries meet it, and no calls: drop fails the attempt unsent, duplicate sends it twice, reorder holds it until another has gone or two seconds are over, delay holds it for delayMs (5,000), wrong_signature signs it with another secret, stale tells a time a day earlier, truncate sends half of the body.
       * @enum {string}
       */
      delivery?: 'drop' | 'duplicate' | 'reorder' | 'delay' | 'wrong_signature' | 'stale' | 'truncate'
      /** @description Of deliveries: all unless it is said. */
      event?: string
    }
    Fault: {
      id: string
      /**
       * @description All unless it is said.
       * @enum {string}
       */
      interface?:
        | 'catalog'
        | 'crm'
        | 'signage'
        | 'recruiting'
        | 'forms'
        | 'payments'
        | 'integration-payments'
        | 'pos'
        | 'tax-invoicing'
        | 'lite-invoicing'
        | 'conversations'
        | 'meetings'
      /** @enum {string} */
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      /** @description Full, or relative to the base path; * stands for any segment. */
      path?: string
      /** @description Answered in the place of the real answer; 429 comes with Retry-After: 1 unless headers say so. */
      status?: number
      /** @description JSON, or a text; the error body of the interface unless it is said. */
      body?: unknown
      headers?: {
        [key: string]: string
      }
      /** @description Before the answer, the real one where no status is said. */
      delayMs?: number
      /** @description Cuts the connection. */
      reset?: boolean
      /** @description How often; without end unless it is said. */
      times?: number
      /** @description Which calls it hits is the same in each run. */
      probability?: number
      /**
       * @description Deliveries meet it, and no calls: drop fails the attempt unsent, duplicate sends it twice, reorder holds it until another has gone or two seconds are over, delay holds it for delayMs (5,000), wrong_signature signs it with another secret, stale tells a time a day earlier, truncate sends half of the body.
       * @enum {string}
       */
      delivery?: 'drop' | 'duplicate' | 'reorder' | 'delay' | 'wrong_signature' | 'stale' | 'truncate'
      /** @description Of deliveries: all unless it is said. */
      event?: string
      /** @description How often it was met. */
      met: number
      /** Format: date-time */
      createdAt: string
    }
    RecordSection: {
      /** @description The interface and the list. */
      section: string
      title: string
      count: number
    }
    RecordPage: {
      data: {
        [key: string]: unknown
      }[]
      /** @description null on the last page. */
      nextCursor: string | null
    }
    RecordWithState: {
      /** @description As it stands in snapshots. */
      record: {
        [key: string]: unknown
      }
      /** @description The name of its state machine; null where it has none. */
      machine: string | null
      state: string | null
      /** @description Those that are possible now. */
      moves: {
        move: string
        to: string
        /** @description The call, trigger or time that makes it. */
        by: string
      }[]
      /** @description The moves in the story of the workspace, oldest first. */
      history: {
        /** Format: date-time */
        at: string
        move: string
        from: string | null
        to: string
      }[]
    }
    TimelineItem: {
      id: string
      /** Format: date-time */
      at: string
      /** @enum {string} */
      kind: 'request' | 'trigger' | 'job' | 'transition' | 'event' | 'delivery' | 'email'
      title: string
      /** @description The id of what it follows from. */
      causedBy: string | null
      /** @description The id of the request, event, delivery or e-mail; section and id of a record; the name of a trigger or job, or the path of a page whose form was sent. */
      ref: string
    }
    Coverage: {
      summary: {
        operations: {
          met: number
          of: number
        }
        transitions: {
          met: number
          of: number
        }
        events: {
          met: number
          of: number
        }
      }
      operations: {
        interface: string
        operation: string
        calls: number
        statuses: {
          [key: string]: number
        }
      }[]
      transitions: {
        machine: string
        move: string
        from: string
        to: string
        count: number
      }[]
      events: {
        interface: string
        event: string
        count: number
      }[]
    }
    ScreenNow: {
      screen_id: string
      /** @enum {string} */
      status: 'online' | 'offline' | 'standby'
      /**
       * Format: date-time
       * @description The time of the workspace for which this is the answer.
       */
      at: string
      timezone: string
      /** @description What clocks show there, by which rules hold. */
      local_time: string
      schedule: {
        id: string
        name: string
        priority: number
      } | null
      rule: {
        /** @description The days on which it begins. */
        days: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
        /** @description By the local clock in the time zone of the workspace. A time that the end of daylight saving time repeats holds both times, and one that its beginning skips does not hold on that day (assumed). */
        time_start: string
        /** @description From then on it holds no more; on the next day where it is not after time_start. 24:00 is the end of the day, and 23:59 covers the last minute of the day as well (assumed). */
        time_end: string
        playlist_id: string | null
        layout_id: string | null
      } | null
      playlist: {
        id: string
        name: string
        /** @description In the order of their positions. */
        items: components['schemas']['ItemNow'][]
        /**
         * @description loop unless it is said.
         * @enum {string}
         */
        playback_mode: 'loop' | 'once'
        /** @description Seconds that all of it takes, rounded. */
        total_duration: number
        shuffle: boolean
      } | null
      layout: {
        id: string
        name: string
        resolution: string
        /** @description Later ones lie on top. */
        zones: components['schemas']['ZoneNow'][]
      } | null
      /**
       * Format: date-time
       * @description When something else is to be shown; null where that is not within a week.
       */
      changes_at: string | null
      /** @description What the device is still to do, the oldest first. */
      pending_actions: {
        action_id: string
        /** @enum {string} */
        action: 'restart_app' | 'restart_device' | 'screenshot' | 'force_sync' | 'clear_cache'
        /** Format: date-time */
        requested_at: string
      }[]
    }
    ItemNow: {
      id: string
      media_id: string
      media_name: string
      /** @enum {string} */
      media_type: 'image' | 'video'
      /** @description Seconds; of a video without it the length of the video, null where that is not known. */
      duration: number | null
      /** @enum {string} */
      transition: 'fade' | 'slide' | 'cut'
      /** @description Seconds. */
      transition_duration: number
      position: number
      /**
       * Format: uri
       * @description Loads the file; a link that expires.
       */
      url: string
    }
    ZoneNow: {
      /** @description How the layout calls the zone; no two of it are the same. */
      id: string
      /** @description From the left, in pixels or percent of the width. */
      x: number | string
      /** @description From the top, in pixels or percent of the height. */
      y: number | string
      /** @description In pixels or percent of the width. */
      width: number | string
      /** @description In pixels or percent of the height. */
      height: number | string
      /** @enum {string|null} */
      content_type: 'playlist' | 'media' | null
      /** @description null where nothing is shown: its medium was deleted by force. */
      content_id: string | null
      playlist: {
        id: string
        name: string
        /** @description In the order of their positions. */
        items: components['schemas']['ItemNow'][]
        /**
         * @description loop unless it is said.
         * @enum {string}
         */
        playback_mode: 'loop' | 'once'
        /** @description Seconds that all of it takes, rounded. */
        total_duration: number
        shuffle: boolean
      } | null
      media: {
        media_id: string
        media_name: string
        /** @enum {string} */
        media_type: 'image' | 'video'
        /**
         * Format: uri
         * @description Loads the file; a link that expires.
         */
        url: string
      } | null
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export interface operations {
  getLiveness: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Health']
        }
      }
    }
  }
  getHealth: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Health']
        }
      }
    }
  }
  listWorkspaces: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Workspace'][]
          }
        }
      }
    }
  }
  createWorkspace: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['WorkspaceCreate']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedWorkspace']
        }
      }
    }
  }
  getWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Workspace']
        }
      }
    }
  }
  deleteWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  updateWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['WorkspaceChange']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Workspace']
        }
      }
    }
  }
  createUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserCreate']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
    }
  }
  listKeys: {
    parameters: {
      query: {
        workspaceId: string
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Key'][]
          }
        }
      }
    }
  }
  createKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['KeyCreate']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Key']
        }
      }
    }
  }
  deleteKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        key: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  resetWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  resetServer: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getSnapshot: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Snapshot']
        }
      }
    }
  }
  putSnapshot: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Snapshot']
      }
    }
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listSnapshots: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['SavedSnapshot'][]
          }
        }
      }
    }
  }
  saveSnapshot: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SavedSnapshotCreate']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SavedSnapshot']
        }
      }
    }
  }
  restoreSnapshot: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/snapshots tells it. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  deleteSnapshot: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/snapshots tells it. */
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  cloneWorkspace: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['WorkspaceClone']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedWorkspace']
        }
      }
    }
  }
  getClock: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Clock']
        }
      }
    }
  }
  setClock: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['ClockChange']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Clock']
        }
      }
    }
  }
  listDue: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['DueJob'][]
          }
        }
      }
    }
  }
  advanceClock: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Advance']
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Advanced']
        }
      }
    }
  }
  listTriggers: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Trigger'][]
          }
        }
      }
    }
  }
  pullTrigger: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        name: string
      }
      cookie?: never
    }
    requestBody?: {
      content: {
        'application/json': {
          [key: string]: unknown
        }
      }
    }
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            [key: string]: unknown
          }
        }
      }
    }
  }
  listMachines: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['StateMachine'][]
          }
        }
      }
    }
  }
  getMachine: {
    parameters: {
      query?: never
      header?: never
      path: {
        name: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['StateMachine']
        }
      }
    }
  }
  listSubscriptions: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Subscription'][]
          }
        }
      }
    }
  }
  createSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionCreate']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['CreatedSubscription']
        }
      }
    }
  }
  deleteSubscription: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        subscriptionId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listDeliveries: {
    parameters: {
      query?: {
        interface?:
          | 'catalog'
          | 'crm'
          | 'signage'
          | 'recruiting'
          | 'forms'
          | 'payments'
          | 'integration-payments'
          | 'pos'
          | 'tax-invoicing'
          | 'lite-invoicing'
          | 'conversations'
          | 'meetings'
        event?: string
        status?: 'pending' | 'delivered' | 'dead'
        /** @description By default 25, or count if more. */
        limit?: number
        /** @description Seconds to wait until count match. */
        wait?: number
        /** @description How many to wait for; by default 1. */
        count?: number
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Delivery'][]
          }
        }
      }
    }
  }
  redeliver: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/deliveries tells it. */
        deliveryId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listEmails: {
    parameters: {
      query?: {
        to?: string
        /** @description By default 25, or count if more. */
        limit?: number
        /** @description Seconds to wait until count match. */
        wait?: number
        /** @description How many to wait for; by default 1. */
        count?: number
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Email'][]
          }
        }
      }
    }
  }
  getEmail: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/emails tells it. */
        emailId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WholeEmail']
        }
      }
    }
  }
  getEmailFile: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/emails tells it. */
        emailId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'message/rfc822': string
        }
      }
    }
  }
  getEmailAttachment: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/emails tells it. */
        emailId: string
        /** @description Counted from 0, as GET /workspaces/{id}/emails lists them. */
        index: number
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/octet-stream': string
          'application/pdf': string
          'application/xml': string
          'text/calendar': string
          'text/csv': string
          'text/plain': string
        }
      }
    }
  }
  listRequests: {
    parameters: {
      query?: {
        interface?:
          | 'catalog'
          | 'crm'
          | 'signage'
          | 'recruiting'
          | 'forms'
          | 'payments'
          | 'integration-payments'
          | 'pos'
          | 'tax-invoicing'
          | 'lite-invoicing'
          | 'conversations'
          | 'meetings'
        operation?: string
        method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
        /** @description Full, or relative to the base path; * stands for any segment. */
        path?: string
        status?: string
        /** @description In the HTTP Archive format. */
        as?: 'har'
        /** @description By default 25, or count if more. */
        limit?: number
        /** @description Seconds to wait until count match. */
        wait?: number
        /** @description How many to wait for; by default 1. */
        count?: number
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['JournalEntry'][]
          }
          'application/har+json': string
        }
      }
    }
  }
  deleteRequests: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  getRequest: {
    parameters: {
      query?: {
        /** @description true adds one hint of the code assumed_behavior for each operation: what the specification leaves open about it. */
        assumed?: boolean
        /** @description As a command of a shell, or in the HTTP Archive format. */
        as?: 'curl' | 'har'
      }
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/requests tells it. */
        requestId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['WholeJournalEntry']
          'text/plain': string
          'application/har+json': string
        }
      }
    }
  }
  listHints: {
    parameters: {
      query?: {
        /** @description true adds one hint of the code assumed_behavior for each operation: what the specification leaves open about it. */
        assumed?: boolean
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['GroupedHint'][]
          }
        }
      }
    }
  }
  listUnmatchedRequests: {
    parameters: {
      query?: {
        /** @description The journal of a workspace is at /workspaces/{id}/requests. */
        unmatched?: true
        /** @description By default 25, or count if more. */
        limit?: number
        /** @description Seconds to wait until count match. */
        wait?: number
        /** @description How many to wait for; by default 1. */
        count?: number
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['UnmatchedJournalEntry'][]
          }
        }
      }
    }
  }
  listFaults: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['Fault'][]
          }
        }
      }
    }
  }
  createFault: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['FaultCreate']
      }
    }
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Fault']
        }
      }
    }
  }
  deleteFaults: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  deleteFault: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        /** @description As GET /workspaces/{id}/faults tells it. */
        faultId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description No Content */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listRecordSections: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['RecordSection'][]
          }
        }
      }
    }
  }
  listRecords: {
    parameters: {
      query?: {
        /** @description Default is 25. */
        limit?: number
        /** @description The nextCursor of the page before. */
        cursor?: string
      }
      header?: never
      path: {
        id: string
        /** @description The interface and the list. */
        section: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecordPage']
        }
      }
    }
  }
  getRecord: {
    parameters: {
      query?: {
        /** @description A field of the record and what it is to hold. */
        until?: string
        /** @description Seconds to wait until that holds. */
        wait?: number
      }
      header?: never
      path: {
        id: string
        /** @description The interface and the list. */
        section: string
        /** @description As GET /workspaces/{id}/records/payments.links tells it. */
        recordId: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['RecordWithState']
        }
      }
    }
  }
  getTimeline: {
    parameters: {
      query?: {
        kind?: 'request' | 'trigger' | 'job' | 'transition' | 'event' | 'delivery' | 'email'
        /** @description Default is 100. */
        limit?: number
        /** @description The id of the last one seen. */
        before?: string
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            data: components['schemas']['TimelineItem'][]
          }
        }
      }
    }
  }
  streamTimeline: {
    parameters: {
      query?: {
        /** @description Seconds after which it ends; without end unless it is said. */
        wait?: number
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': string
        }
      }
    }
  }
  getCoverage: {
    parameters: {
      query?: {
        format?: 'json' | 'text' | 'mermaid'
      }
      header?: never
      path: {
        id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Coverage']
          'text/plain': string
          'text/vnd.mermaid': string
        }
      }
    }
  }
  getServerCoverage: {
    parameters: {
      query?: {
        format?: 'json' | 'text' | 'mermaid'
      }
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Coverage']
          'text/plain': string
          'text/vnd.mermaid': string
        }
      }
    }
  }
  getScreenNow: {
    parameters: {
      query?: never
      header?: never
      path: {
        id: string
        screen_id: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ScreenNow']
        }
      }
    }
  }
  getOpenapiOfInterface: {
    parameters: {
      query?: never
      header?: never
      path: {
        interface: string
      }
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            [key: string]: unknown
          }
        }
      }
    }
  }
  getOpenapi: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            [key: string]: unknown
          }
        }
      }
    }
  }
  getMetrics: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/plain': string
        }
      }
    }
  }
  getDocsPage: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/html': string
        }
      }
    }
  }
  getDashboard: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/html': string
        }
      }
    }
  }
  receiveWebhook: {
    parameters: {
      query?: never
      header?: never
      path?: never
      cookie?: never
    }
    requestBody?: never
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            received: boolean
          }
        }
      }
    }
  }
}

/** Each trigger: the body that it takes, and what it answers with. */

export type Triggers = {
  /** @description A product is given a plan, or its plan of this name is defined anew. */
  'catalog.plan.define': {
    body: {
      product_id: string
      name: string
      price: string
      /**
       * @description Default is month for a subscription, and none for another product.
       * @enum {string|null}
       */
      billing_period?: 'day' | 'week' | 'month' | 'year' | null
      /** @description Periods a cycle. Default is 1. */
      billing_interval?: number | null
      /** @description Default is 0. */
      trial_days?: number
    }
    result: {
      /** @description Unique identifier (nanoid). */
      id: string
      name: string
      price: string
      /** Format: iso-4217 */
      currency: string
      /** @enum {string|null} */
      billingPeriod: 'day' | 'week' | 'month' | 'year' | null
      billingInterval: number | null
      trialDays: number
      /** @enum {string} */
      status: 'active' | 'archived'
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      updatedAt: string
    }
  }
  /** @description A template of e-mails is made, or defined anew. */
  'crm.template.define': {
    body: {
      /** @description Of one that is there: it is defined anew. One is drawn when it is left out. */
      id?: string
      name: string
      subject: string
      /** @description Plain text or HTML, with placeholders such as {{deal.value}}; in HTML what they put in is escaped (assumed). */
      body: string
    }
    result: {
      id: string
      name: string
      /** Format: date-time */
      created_at: string
      subject: string
      body: string
    }
  }
  /** @description A team is made, or defined anew. */
  'crm.team.define': {
    body: {
      /** @description Of one that is there: it is defined anew. One is drawn when it is left out. */
      id?: string
      name: string
      /** @description Users of the workspace, in the order in which a round robin goes through them. */
      member_ids: string[]
    }
    result: {
      id: string
      name: string
      /** Format: date-time */
      created_at: string
      member_ids: string[]
    }
  }
  /** @description A segment of contacts is made, or defined anew. */
  'crm.segment.define': {
    body: {
      /** @description Of one that is there: it is defined anew. One is drawn when it is left out. */
      id?: string
      name: string
      /** @description As GET /contacts has them; all of them have to hold. */
      filters: {
        search?: string
        tag?: string
        /** @enum {string} */
        vertical?: 'automotive' | 'real_estate' | 'education' | 'services'
      }
    }
    result: {
      id: string
      name: string
      /** Format: date-time */
      created_at: string
      /** @description As GET /contacts has them; all of them have to hold. */
      filters: {
        search?: string
        tag?: string
        /** @enum {string} */
        vertical?: 'automotive' | 'real_estate' | 'education' | 'services'
      }
    }
  }
  /** @description A device that is not paired shows a code, for 15 minutes. */
  'signage.pairing_code.issue': {
    body: Record<string, never>
    result: {
      pairing_code: string
      /** Format: date-time */
      expires_at: string | null
    }
  }
  /** @description A device is heard of, as it is every minute or so. Five minutes after the last report its screen is offline. */
  'signage.screen.report': {
    body: {
      screen_id: string
      /**
       * @description What it is in unless it is said; a screen that was offline is online.
       * @enum {string}
       */
      status?: 'online' | 'offline' | 'standby'
      /** @description How long the device has been running; it goes on from there by itself. */
      uptime_hours?: number
    }
    result: {
      id: string
      name: string
      /** @enum {string} */
      status: 'online' | 'offline' | 'standby'
      /** @enum {string} */
      orientation: 'landscape' | 'portrait'
      /** @description What the device has; 1920x1080, or 1080x1920 in portrait, unless it tells (assumed). */
      resolution: string
      /** @description What it is to play now by its schedules; of a layout the playlist of its first zone that has one; null for none (assumed). */
      current_playlist_id: string | null
      /** @description The group that it is in. */
      group_id: string | null
      /**
       * Format: date-time
       * @description When the device was last heard of.
       */
      last_sync: string | null
      /** @description How long the device has been running: as it last told, and on from there while it is not offline. */
      uptime_hours: number
      /** Format: date-time */
      created_at: string
      /** @description How loud it is. */
      volume: number
      /** @description How bright it is. */
      brightness: number
      location: {
        name: string | null
        address: string | null
      } | null
      /** @description What it was asked to do last, the newest first, at most 20. */
      actions: {
        action_id: string
        screen_id: string
        /** @enum {string} */
        action: 'restart_app' | 'restart_device' | 'screenshot' | 'force_sync' | 'clear_cache'
        reason: string | null
        /** @enum {string} */
        status: 'queued' | 'completed' | 'failed'
        /** @description Why it failed. */
        error: string | null
        /**
         * Format: uri
         * @description Where the screenshot is, once it was made.
         */
        result_url: string | null
        /** Format: date-time */
        requested_at: string
        /** Format: date-time */
        finished_at: string | null
      }[]
    }
  }
  /** @description A device has shown something. */
  'signage.playback.record': {
    body: {
      screen_id: string
      media_id: string
      playlist_id?: string | null
      duration_seconds: number
      /** @description Whether it was shown to its end; true unless it is said. */
      completed?: boolean
      /**
       * Format: instant
       * @description Now unless it is said, and never later. A date is the beginning of its day, and a date-time without an offset a time of the clocks, in the time zone of the workspace (assumed).
       */
      played_at?: string
    }
    result: {
      playback_id: string
      /** Format: date-time */
      played_at: string
    }
  }
  /** @description A device has done what it was asked to do; that is a sign of life as well. */
  'signage.action.complete': {
    body: {
      action_id: string
      /**
       * Format: uri
       * @description Where the picture of a screenshot is.
       */
      result_url?: string | null
    }
    result: {
      action_id: string
      screen_id: string
      /** @enum {string} */
      action: 'restart_app' | 'restart_device' | 'screenshot' | 'force_sync' | 'clear_cache'
      reason: string | null
      /** @enum {string} */
      status: 'queued' | 'completed' | 'failed'
      /** @description Why it failed. */
      error: string | null
      /**
       * Format: uri
       * @description Where the screenshot is, once it was made.
       */
      result_url: string | null
      /** Format: date-time */
      requested_at: string
      /** Format: date-time */
      finished_at: string | null
    }
  }
  /** @description A device could not do what it was asked to do; that is a sign of life as well. */
  'signage.action.fail': {
    body: {
      action_id: string
      error?: string | null
    }
    result: {
      action_id: string
      screen_id: string
      /** @enum {string} */
      action: 'restart_app' | 'restart_device' | 'screenshot' | 'force_sync' | 'clear_cache'
      reason: string | null
      /** @enum {string} */
      status: 'queued' | 'completed' | 'failed'
      /** @description Why it failed. */
      error: string | null
      /**
       * Format: uri
       * @description Where the screenshot is, once it was made.
       */
      result_url: string | null
      /** Format: date-time */
      requested_at: string
      /** Format: date-time */
      finished_at: string | null
    }
  }
  /** @description Somebody applies for a published vacancy, as on its page. */
  'recruiting.candidate.apply': {
    body: {
      vacancy_id: string
      name: string
      /**
       * Format: email
       * @description Whoever has applied for another vacancy with it is the same candidate.
       */
      email: string
      phone?: string | null
      location?: {
        /** Format: iso-3166 */
        country: string
        city?: string | null
      } | null
      experience_years?: number | null
      skills?: string[]
      /** @description Default is direct. */
      source?: string | null
    }
    result: {
      candidate_id: string
      vacancy_id: string
      /** @enum {string} */
      stage: 'new' | 'reviewing' | 'shortlisted' | 'interview' | 'offer' | 'hired' | 'rejected'
      match_score: number
    }
  }
  /** @description People look at the page of a vacancy. */
  'recruiting.vacancy.view': {
    body: {
      vacancy_id: string
      /** @description How many; default is 1. */
      count?: number
    }
    result: {
      vacancy_id: string
      views_count: number
    }
  }
  /** @description Everybody agrees to the time of an interview. */
  'recruiting.interview.confirm': {
    body: {
      interview_id: string
    }
    result: {
      id: string
      vacancy_id: string
      candidate_id: string
      /** @enum {string} */
      type: 'video_platform' | 'on_site' | 'phone' | 'external_video'
      /** @enum {string} */
      status: 'scheduled' | 'confirmed' | 'in_progress' | 'completed' | 'cancelled'
      /**
       * Format: date-time
       * @description With the offset that clocks in the time zone of the interview have then (assumed).
       */
      scheduled_at: string
      duration_minutes: number
      timezone: string
      interviewers: {
        name: string
        /** Format: email */
        email: string
        role: string | null
        required: boolean
        /** @enum {string} */
        status: 'pending' | 'accepted' | 'declined'
      }[]
      candidate_preparation: string | null
      internal_notes: string | null
      /**
       * Format: uri
       * @description null where people meet otherwise (assumed).
       */
      video_room_url: string | null
      candidate_notified: boolean
      cancellation: {
        reason: string
        notes: string | null
        /** Format: date-time */
        cancelled_at: string
      } | null
      /** Format: date-time */
      created_at: string
    }
  }
  /** @description An interview begins. */
  'recruiting.interview.start': {
    body: {
      interview_id: string
    }
    result: {
      id: string
      vacancy_id: string
      candidate_id: string
      /** @enum {string} */
      type: 'video_platform' | 'on_site' | 'phone' | 'external_video'
      /** @enum {string} */
      status: 'scheduled' | 'confirmed' | 'in_progress' | 'completed' | 'cancelled'
      /**
       * Format: date-time
       * @description With the offset that clocks in the time zone of the interview have then (assumed).
       */
      scheduled_at: string
      duration_minutes: number
      timezone: string
      interviewers: {
        name: string
        /** Format: email */
        email: string
        role: string | null
        required: boolean
        /** @enum {string} */
        status: 'pending' | 'accepted' | 'declined'
      }[]
      candidate_preparation: string | null
      internal_notes: string | null
      /**
       * Format: uri
       * @description null where people meet otherwise (assumed).
       */
      video_room_url: string | null
      candidate_notified: boolean
      cancellation: {
        reason: string
        notes: string | null
        /** Format: date-time */
        cancelled_at: string
      } | null
      /** Format: date-time */
      created_at: string
    }
  }
  /** @description An interview comes to its end. */
  'recruiting.interview.complete': {
    body: {
      interview_id: string
    }
    result: {
      id: string
      vacancy_id: string
      candidate_id: string
      /** @enum {string} */
      type: 'video_platform' | 'on_site' | 'phone' | 'external_video'
      /** @enum {string} */
      status: 'scheduled' | 'confirmed' | 'in_progress' | 'completed' | 'cancelled'
      /**
       * Format: date-time
       * @description With the offset that clocks in the time zone of the interview have then (assumed).
       */
      scheduled_at: string
      duration_minutes: number
      timezone: string
      interviewers: {
        name: string
        /** Format: email */
        email: string
        role: string | null
        required: boolean
        /** @enum {string} */
        status: 'pending' | 'accepted' | 'declined'
      }[]
      candidate_preparation: string | null
      internal_notes: string | null
      /**
       * Format: uri
       * @description null where people meet otherwise (assumed).
       */
      video_room_url: string | null
      candidate_notified: boolean
      cancellation: {
        reason: string
        notes: string | null
        /** Format: date-time */
        cancelled_at: string
      } | null
      /** Format: date-time */
      created_at: string
    }
  }
  /** @description A form is published, with these fields in the place of those it has. */
  'forms.form.publish': {
    body: {
      /** @description A UUID. */
      formId: string
      fields?: {
        id?: string
        /** @enum {string} */
        type:
          | 'short_text'
          | 'long_text'
          | 'email'
          | 'phone'
          | 'url'
          | 'number'
          | 'date'
          | 'select'
          | 'multi_select'
          | 'boolean'
          | 'rating'
          | 'file'
        label: string
        description?: string | null
        placeholder?: string | null
        /** @description Default is false. */
        required?: boolean
        options?: string[]
        validations?: {
          min?: number | null
          max?: number | null
          /** Format: date */
          minDate?: string | null
          /** Format: date */
          maxDate?: string | null
          minLength?: number | null
          maxLength?: number | null
          /** @description RE2 syntax, of the whole text. */
          pattern?: string | null
        } | null
        visibleIf?: {
          fieldId: string
          /** @enum {string} */
          operator: 'equals' | 'not_equals' | 'contains' | 'answered'
          value?: string | number | boolean | null
        } | null
      }[]
    }
    result: {
      /** @description A UUID. */
      id: string
      title: string
      description: string | null
      /** @enum {string} */
      status: 'draft' | 'published'
      /** @enum {string} */
      defaultMode: 'conversational' | 'classic'
      slug: string
      /** Format: uri */
      submitUrl: string
      isPublic: boolean
      /** Format: date-time */
      createdAt: string
      /** Format: date-time */
      publishedAt: string | null
      schema: {
        fields: {
          id: string
          /** @enum {string} */
          type:
            | 'short_text'
            | 'long_text'
            | 'email'
            | 'phone'
            | 'url'
            | 'number'
            | 'date'
            | 'select'
            | 'multi_select'
            | 'boolean'
            | 'rating'
            | 'file'
          label: string
          description: string | null
          placeholder: string | null
          required: boolean
          options: string[]
          validations: {
            min: number | null
            max: number | null
            /** Format: date */
            minDate: string | null
            /** Format: date */
            maxDate: string | null
            minLength: number | null
            maxLength: number | null
            /** @description RE2 syntax, of the whole text. */
            pattern: string | null
          }
          /** @description Asked only where an earlier field is answered so; null is always. */
          visibleIf: {
            fieldId: string
            /** @enum {string} */
            operator: 'equals' | 'not_equals' | 'contains' | 'answered'
            value: string | number | boolean | null
          } | null
        }[]
        settings: {
          submitLabel: string | null
          successMessage: string | null
          /** @description Origins whose pages may frame it; null is all. */
          embedOrigins: string[] | null
        }
      }
      modes: {
        /** @enum {string} */
        default: 'conversational' | 'classic'
        conversational: {
          enabled: boolean
          showProgress: boolean
        }
        classic: {
          enabled: boolean
          showProgress: boolean
        }
      }
    }
  }
  /** @description Somebody pays a link, or tries to, as on its page. */
  'payments.link.pay': {
    body: {
      link_id: string
      /**
       * @description One of the link's; its first unless given.
       * @enum {string}
       */
      payment_method?: 'network_1' | 'network_2' | 'network_3' | 'wallet_1' | 'wallet_2' | 'ach'
      /**
       * @description Default is completed.
       * @enum {string}
       */
      outcome?: 'completed' | 'pending' | 'failed'
      /** @description In cents; needed where the amount of the link is open. */
      amount?: number
      customer?: {
        name?: string | null
        /** Format: email */
        email?: string | null
      }
    }
    result: {
      transaction_id: string
      /** @enum {string} */
      status: 'completed' | 'pending' | 'failed' | 'refunded'
      /** @enum {string} */
      link_status: 'active' | 'paid' | 'expired' | 'disabled'
    }
  }
  /** @description A pending payment is completed, or fails. */
  'payments.transaction.settle': {
    body: {
      transaction_id: string
      /** @enum {string} */
      outcome: 'completed' | 'failed'
    }
    result: {
      transaction_id: string
      /** @enum {string} */
      status: 'completed' | 'pending' | 'failed' | 'refunded'
    }
  }
  /** @description A refund has come back to the payer. */
  'payments.refund.complete': {
    body: {
      refund_id: string
    }
    result: {
      refund_id: string
      transaction_id: string
      /** @enum {string} */
      status: 'processing' | 'completed' | 'failed'
    }
  }
  /** @description A refund could not be paid out: what was refunded counts as paid again. */
  'payments.refund.fail': {
    body: {
      refund_id: string
      reason?: string | null
    }
    result: {
      refund_id: string
      transaction_id: string
      /** @enum {string} */
      status: 'processing' | 'completed' | 'failed'
    }
  }
  /** @description Completed payments that are not settled yet are put together for the bank account. */
  'payments.settlement.create': {
    body: {
      /**
       * @description The workspace's where that is one of them, else USD.
       * @enum {string}
       */
      currency?: 'USD' | 'PAB'
      /**
       * Format: instant
       * @description Payments completed from here on. A date is the beginning of its day, and a date-time without an offset a time of the clocks, in the time zone of the workspace (assumed).
       */
      period_from?: string
      /**
       * Format: instant
       * @description Payments completed up to here. A date is the end of its day, and a date-time without an offset a time of the clocks, in the time zone of the workspace (assumed).
       */
      period_to?: string
    }
    result: {
      settlement_id: string
      /** @enum {string} */
      status: 'processing' | 'deposited'
      /** @description In cents. */
      amount: number
      fees: number
      net_amount: number
      /** @enum {string} */
      currency: 'USD' | 'PAB'
      transactions_count: number
    }
  }
  /** @description A settlement has come to the bank account. */
  'payments.settlement.deposit': {
    body: {
      settlement_id: string
    }
    result: {
      settlement_id: string
      /** @enum {string} */
      status: 'processing' | 'deposited'
      /** @description In cents. */
      amount: number
      fees: number
      net_amount: number
      /** @enum {string} */
      currency: 'USD' | 'PAB'
      transactions_count: number
    }
  }
  /** @description A product is added to the project. */
  'integration-payments.product.create': {
    body: {
      productCode: string
      name: string
      /** @enum {string} */
      paymentType: 'one_time' | 'recurring'
      /** @description In cents. */
      price: number
      /** Format: iso-4217 */
      currency: string
      /** @description For one_time: makes it an addon. Default is false. */
      requiresSubscription?: boolean
      /**
       * @description Required of a recurring product, for no other.
       * @enum {string|null}
       */
      billingPeriod?: 'day' | 'week' | 'month' | 'year' | null
      /** @description Periods a cycle of a recurring product. Default is 1. */
      billingInterval?: number | null
      description?: string | null
      /**
       * @description Default is active.
       * @enum {string}
       */
      status?: 'active' | 'inactive' | 'archived'
    }
    result: {
      /** @description The product as GET /v1/products/{productCode} shows it. */
      product: {
        [key: string]: unknown
      }
    }
  }
  /** @description A person types a card into a processor's own form: the token that POST /v1/customers/{id}/vault takes. */
  'integration-payments.card.tokenize': {
    body: {
      card?: {
        brand: string
        last4: string
        bin: string
        exp: string
      }
      /**
       * @description Default is processor_a.
       * @enum {string}
       */
      paymentProvider?: 'processor_a' | 'processor_b'
    }
    result: {
      /** @description The token. */
      customerVaultId: string
      /** @enum {string} */
      paymentProvider: 'processor_a' | 'processor_b'
      cardLast4: string
      cardBrand: string
      cardBin: string
      cardExp: string
    }
  }
  /** @description A person pays by a pending link, and the payment takes its time. */
  'integration-payments.link.process': {
    body: {
      hashUrl: string
      card?: {
        brand: string
        last4: string
        bin: string
        exp: string
      }
    }
    result: {
      /** @description The link as GET /v1/payment-links shows it. */
      link: {
        [key: string]: unknown
      }
    }
  }
  /** @description A person completes the checkout of a link, with this card or an approved test card. */
  'integration-payments.link.complete': {
    body: {
      hashUrl: string
      card?: {
        brand: string
        last4: string
        bin: string
        exp: string
      }
    }
    result: {
      /** @description The link as GET /v1/payment-links shows it. */
      link: {
        [key: string]: unknown
      }
      /** @description The customer that was made; null for a link of the type one_time. */
      customer_id: string | null
      order_id: string
    }
  }
  /** @description The point of sale tells of an event: with a believable sample, over which the data given are laid. */
  'pos.event.emit': {
    body: {
      /** @enum {string} */
      event:
        | 'invoice.enrolled'
        | 'invoice.cancelled'
        | 'stock.updated'
        | 'stock.low'
        | 'product.created'
        | 'product.updated'
        | 'product.deleted'
        | 'category.created'
        | 'category.updated'
        | 'category.deleted'
        | 'brand.created'
        | 'brand.updated'
        | 'brand.deleted'
        | 'sale.completed'
        | 'sale.delivered'
        | 'sale.cancelled'
        | 'sale.expired'
        | 'payment.recorded'
        | 'payment.cancelled'
        | 'return.completed'
        | 'contact.created'
        | 'contact.updated'
        | 'contact.deleted'
        | 'bill.created'
        | 'bill.updated'
        | 'bill.received'
        | 'bill.payment_recorded'
        | 'bill.payment_cancelled'
        | 'bill.deleted'
        | 'expense.created'
        | 'expense.updated'
        | 'expense.deleted'
        | 'cash_session.closed'
      /** @description Fields in the place of those of the sample, objects field by field. What does not fit the payload of the event is refused. */
      data?: {
        [key: string]: unknown
      }
    }
    result: {
      eventId: string
      /** @description The ids of the deliveries that follow from it. */
      deliveries: string[]
    }
  }
  /** @description A whole day of the shop goes by, and ends now: sales, payments, returns, stock moves and the closing of the register, whose sums agree. */
  'pos.day.run': {
    body: {
      /** @description Default is 20. */
      sales?: number
      /** @description A text or a number. The same seed sells the same things. */
      seed?: string | number
    }
    result: {
      /** @description In the order in which they happened. */
      events: {
        /** @enum {string} */
        event:
          | 'invoice.enrolled'
          | 'invoice.cancelled'
          | 'stock.updated'
          | 'stock.low'
          | 'product.created'
          | 'product.updated'
          | 'product.deleted'
          | 'category.created'
          | 'category.updated'
          | 'category.deleted'
          | 'brand.created'
          | 'brand.updated'
          | 'brand.deleted'
          | 'sale.completed'
          | 'sale.delivered'
          | 'sale.cancelled'
          | 'sale.expired'
          | 'payment.recorded'
          | 'payment.cancelled'
          | 'return.completed'
          | 'contact.created'
          | 'contact.updated'
          | 'contact.deleted'
          | 'bill.created'
          | 'bill.updated'
          | 'bill.received'
          | 'bill.payment_recorded'
          | 'bill.payment_cancelled'
          | 'bill.deleted'
          | 'expense.created'
          | 'expense.updated'
          | 'expense.deleted'
          | 'cash_session.closed'
        id: string
      }[]
    }
  }
  /** @description The recipient of an invoice lets it be cancelled. */
  'tax-invoicing.cancellation.accept': {
    body: {
      invoice_id: string
    }
    result: {
      id: string
      /** @description As the authority writes it, in upper case. */
      uuid: string
      serie: string
      folio: number
      /** @enum {string} */
      type: 'I' | 'E' | 'P' | 'T'
      /** @enum {string} */
      status: 'active' | 'cancellation_pending' | 'cancelled'
      /** Format: date-time */
      date: string
      emisor: {
        rfc: string
        nombre: string
        regimen_fiscal: string
      }
      receptor: {
        rfc: string
        nombre: string
        regimen_fiscal: string
        domicilio_fiscal: string
        uso_cfdi: string
      }
      conceptos: {
        clave_prod_serv: string
        no_identificacion: string | null
        descripcion: string
        cantidad: number
        clave_unidad: string
        unidad: string | null
        valor_unitario: number
        importe: number
        descuento: number | null
        objeto_imp: string
        impuestos: {
          traslados: {
            base: number
            impuesto: string
            /** @enum {string} */
            tipo_factor: 'Tasa' | 'Cuota' | 'Exento'
            /** @description null where it is exempt. */
            tasa: number | null
            /** @description null where it is exempt. */
            importe: number | null
          }[]
          retenciones: {
            base: number
            impuesto: string
            /** @enum {string} */
            tipo_factor: 'Tasa' | 'Cuota' | 'Exento'
            /** @description null where it is exempt. */
            tasa: number | null
            /** @description null where it is exempt. */
            importe: number | null
          }[]
        }
      }[]
      cfdi_relacionados: {
        tipo_relacion: string
        uuids: string[]
      }[]
      subtotal: number
      descuento: number | null
      total_impuestos_trasladados: number
      total_impuestos_retenidos: number
      total: number
      moneda: string
      /** @description Pesos for one of the currency. */
      tipo_cambio: number | null
      metodo_pago: string | null
      forma_pago: string | null
      lugar_expedicion: string
      exportacion: string
      cancellation: {
        /** @enum {string} */
        motivo: '01' | '02' | '03' | '04'
        /** @description As the authority writes it, in upper case. */
        uuid_sustitucion: string | null
        /** @enum {string} */
        status: 'pending_acceptance' | 'cancelled' | 'rejected'
        /** Format: date-time */
        requested_at: string
        /** Format: date-time */
        resolved_at: string | null
        /** Format: date-time */
        expires_at: string | null
        /** @enum {string|null} */
        resolved_by: 'none_needed' | 'recipient' | 'clock' | null
        /** Format: uri */
        decision_url: string | null
      } | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      timbrado_at: string
      /**
       * Format: uri
       * @description Where its XML is read, with a key.
       */
      xml_url: string
      /**
       * Format: uri
       * @description Where its PDF is read, with a key.
       */
      pdf_url: string
    }
  }
  /** @description The recipient of an invoice does not let it be cancelled. */
  'tax-invoicing.cancellation.reject': {
    body: {
      invoice_id: string
    }
    result: {
      id: string
      /** @description As the authority writes it, in upper case. */
      uuid: string
      serie: string
      folio: number
      /** @enum {string} */
      type: 'I' | 'E' | 'P' | 'T'
      /** @enum {string} */
      status: 'active' | 'cancellation_pending' | 'cancelled'
      /** Format: date-time */
      date: string
      emisor: {
        rfc: string
        nombre: string
        regimen_fiscal: string
      }
      receptor: {
        rfc: string
        nombre: string
        regimen_fiscal: string
        domicilio_fiscal: string
        uso_cfdi: string
      }
      conceptos: {
        clave_prod_serv: string
        no_identificacion: string | null
        descripcion: string
        cantidad: number
        clave_unidad: string
        unidad: string | null
        valor_unitario: number
        importe: number
        descuento: number | null
        objeto_imp: string
        impuestos: {
          traslados: {
            base: number
            impuesto: string
            /** @enum {string} */
            tipo_factor: 'Tasa' | 'Cuota' | 'Exento'
            /** @description null where it is exempt. */
            tasa: number | null
            /** @description null where it is exempt. */
            importe: number | null
          }[]
          retenciones: {
            base: number
            impuesto: string
            /** @enum {string} */
            tipo_factor: 'Tasa' | 'Cuota' | 'Exento'
            /** @description null where it is exempt. */
            tasa: number | null
            /** @description null where it is exempt. */
            importe: number | null
          }[]
        }
      }[]
      cfdi_relacionados: {
        tipo_relacion: string
        uuids: string[]
      }[]
      subtotal: number
      descuento: number | null
      total_impuestos_trasladados: number
      total_impuestos_retenidos: number
      total: number
      moneda: string
      /** @description Pesos for one of the currency. */
      tipo_cambio: number | null
      metodo_pago: string | null
      forma_pago: string | null
      lugar_expedicion: string
      exportacion: string
      cancellation: {
        /** @enum {string} */
        motivo: '01' | '02' | '03' | '04'
        /** @description As the authority writes it, in upper case. */
        uuid_sustitucion: string | null
        /** @enum {string} */
        status: 'pending_acceptance' | 'cancelled' | 'rejected'
        /** Format: date-time */
        requested_at: string
        /** Format: date-time */
        resolved_at: string | null
        /** Format: date-time */
        expires_at: string | null
        /** @enum {string|null} */
        resolved_by: 'none_needed' | 'recipient' | 'clock' | null
        /** Format: uri */
        decision_url: string | null
      } | null
      /** Format: date-time */
      created_at: string
      /** Format: date-time */
      timbrado_at: string
      /**
       * Format: uri
       * @description Where its XML is read, with a key.
       */
      xml_url: string
      /**
       * Format: uri
       * @description Where its PDF is read, with a key.
       */
      pdf_url: string
    }
  }
  /** @description The registry of the authority gets a taxpayer, or another name or regime of one. */
  'tax-invoicing.taxpayer.register': {
    body: {
      rfc: string
      nombre: string
      /** @description Any is taken unless it is sent. */
      regimen_fiscal?: string | null
      /** @description Whether it is on the list of flagged taxpayers; default is false. */
      flagged?: boolean
    }
    result: {
      rfc: string
      nombre: string
      regimen_fiscal: string | null
      flagged: boolean
    }
  }
  /** @description The certificate of the issuer is about to expire. */
  'tax-invoicing.certificate.expiring': {
    body: {
      /** @description How many it has left; default is 30. */
      days?: number
    }
    result: {
      /** @description Twenty digits. */
      number: string
      /** Format: date-time */
      valid_from: string
      /** Format: date-time */
      expires_at: string
      days_left: number
    }
  }
  /** @description A taxpayer is put into the registry; one that is there gets the name. */
  'lite-invoicing.taxpayer.register': {
    body: {
      /** @description Of a natural person as 8-442-445, PE-10-442, E-12-342, N-45-832, 8-NT-1-13422; of a legal entity as 155712345-2-2022, 61302-14-123411. */
      ruc: string
      name: string
      /** @description 1 natural person, 2 legal entity. */
      type: number
    }
    result: {
      ruc: string
      /** @description The check digit, which has two digits in print: 8 for "08". */
      dv: number
      name: string
      /** @description 1 is a natural person, 2 a legal entity. */
      type: number
    }
  }
  /** @description A contact writes: to a conversation, or to the one it has in the inbox, which is opened again; else a new one. */
  'conversations.message.receive': {
    body: {
      inbox_id: number
      content: string
      conversation_id?: number
      contact_id?: number
      contact?: {
        name: string
        /** Format: email */
        email?: string
        phone_number?: string
      }
    }
    result: {
      conversation_id: number
      message_id: number
    }
  }
  /** @description A message that was sent to a contact is delivered, read, or fails. */
  'conversations.message.status': {
    body: {
      message_id: number
      /** @enum {string} */
      status: 'sent' | 'delivered' | 'read' | 'failed'
    }
    result: {
      id: number
      content: string | null
      inbox_id: number
      conversation_id: number
      /** @description incoming 0, outgoing 1, activity 2, template 3. */
      message_type: number
      content_type: string
      content_attributes: {
        [key: string]: unknown
      }
      /** @enum {string} */
      status: 'sent' | 'delivered' | 'read' | 'failed'
      private: boolean
      created_at: number
      additional_attributes: {
        [key: string]: unknown
      }
      source_id: string | null
      echo_id?: string
      sender: {
        id: number
        name: string
        /** @enum {string} */
        type: 'contact' | 'user'
        email: string | null
        thumbnail: string
      } | null
      attachments: {
        id: string
        message_id: number
        /** @enum {string} */
        file_type: 'image' | 'audio' | 'video' | 'file'
        account_id: number
        extension: string | null
        /** @description A link that expires. */
        data_url: string
        thumb_url: string
        file_size: number
      }[]
    }
  }
  /** @description A participant joins the meeting; the first one begins a session. */
  'meetings.participant.join': {
    body: {
      participantId: string
    }
    result: {
      /** @description A UUID: one live run of a meeting. */
      cfSessionId: string
    }
  }
  /** @description A participant leaves the meeting; the last one ends the session. */
  'meetings.participant.leave': {
    body: {
      participantId: string
    }
    result: {
      participantId: string
    }
  }
  /** @description The session of a meeting ends; where none is live, one has taken place that nobody joined. */
  'meetings.session.end': {
    body: {
      publicMeetingId: string
    }
    result: {
      /** @description A UUID: one live run of a meeting. */
      cfSessionId: string
    }
  }
  /** @description The transcript of an ended session is there. */
  'meetings.transcript.complete': {
    body: {
      publicMeetingId: string
      /** @description A UUID: one live run of a meeting. */
      cfSessionId: string
      /** @description An utterance a line, "Name: words". */
      text?: string
    }
    result: {
      /** @description A UUID: one live run of a meeting. */
      cfSessionId: string
      transcriptUrl: string
    }
  }
  /** @description The summary of the session that has ended last is there. */
  'meetings.summary.complete': {
    body: {
      publicMeetingId: string
      /** @description Made up when left out. */
      summary?: string
    }
    result: {
      /** @description A UUID: one live run of a meeting. */
      cfSessionId: string
      summary: string
    }
  }
}

/** The events that each interface tells webhooks of. */

export interface Events {
  catalog:
    | 'product.created'
    | 'product.updated'
    | 'product.deleted'
    | 'activity.created'
    | 'activity.updated'
    | 'activity.completed'
    | 'activity.overdue'
    | 'activity.deleted'
  crm:
    | 'contact.created'
    | 'contact.updated'
    | 'contact.deleted'
    | 'deal.created'
    | 'deal.updated'
    | 'deal.stage_changed'
    | 'deal.won'
    | 'deal.lost'
    | 'deal.deleted'
    | 'activity.created'
    | 'activity.updated'
    | 'activity.completed'
    | 'activity.deleted'
    | 'automation.executed'
  signage:
    | 'screen.paired'
    | 'screen.updated'
    | 'screen.online'
    | 'screen.standby'
    | 'screen.offline'
    | 'screen.action_completed'
    | 'screen.action_failed'
    | 'screen.unpaired'
    | 'media.created'
    | 'media.updated'
    | 'media.deleted'
    | 'playlist.created'
    | 'playlist.updated'
    | 'playlist.deleted'
    | 'layout.created'
    | 'layout.updated'
    | 'layout.deleted'
    | 'schedule.created'
    | 'schedule.updated'
    | 'schedule.deleted'
    | 'group.created'
    | 'group.updated'
    | 'group.deleted'
  recruiting:
    | 'vacancy.created'
    | 'vacancy.updated'
    | 'vacancy.published'
    | 'vacancy.paused'
    | 'vacancy.in_process'
    | 'vacancy.closed'
    | 'vacancy.archived'
    | 'vacancy.deleted'
    | 'candidate.applied'
    | 'candidate.stage_changed'
    | 'candidate.note_added'
    | 'import.completed'
    | 'interview.scheduled'
    | 'interview.rescheduled'
    | 'interview.confirmed'
    | 'interview.started'
    | 'interview.completed'
    | 'interview.cancelled'
    | 'interview.evaluated'
  forms: 'form.created' | 'form.published' | 'response.completed'
  payments: 'payment.completed' | 'payment.failed' | 'payment.refunded' | 'settlement.completed'
  'integration-payments':
    | 'customer.created'
    | 'payment.success'
    | 'charge.succeeded'
    | 'payment_link.cancelled'
  pos:
    | 'invoice.enrolled'
    | 'invoice.cancelled'
    | 'stock.updated'
    | 'stock.low'
    | 'product.created'
    | 'product.updated'
    | 'product.deleted'
    | 'category.created'
    | 'category.updated'
    | 'category.deleted'
    | 'brand.created'
    | 'brand.updated'
    | 'brand.deleted'
    | 'sale.completed'
    | 'sale.delivered'
    | 'sale.cancelled'
    | 'sale.expired'
    | 'payment.recorded'
    | 'payment.cancelled'
    | 'return.completed'
    | 'contact.created'
    | 'contact.updated'
    | 'contact.deleted'
    | 'bill.created'
    | 'bill.updated'
    | 'bill.received'
    | 'bill.payment_recorded'
    | 'bill.payment_cancelled'
    | 'bill.deleted'
    | 'expense.created'
    | 'expense.updated'
    | 'expense.deleted'
    | 'cash_session.closed'
  'tax-invoicing':
    | 'invoice.created'
    | 'invoice.cancelled'
    | 'invoice.cancellation_accepted'
    | 'invoice.cancellation_rejected'
    | 'payment_receipt.created'
    | 'certificate.expiring'
  'lite-invoicing': 'invoice.issued' | 'invoice.canceled'
  conversations:
    | 'conversation_created'
    | 'conversation_updated'
    | 'conversation_status_changed'
    | 'message_created'
    | 'message_updated'
    | 'contact_created'
    | 'contact_updated'
    | 'contact_deleted'
    | 'inbox_created'
    | 'inbox_updated'
  meetings:
    | 'meeting.created'
    | 'meeting.updated'
    | 'meeting.deactivated'
    | 'meeting.activated'
    | 'participant.added'
    | 'session.started'
    | 'participant.joined'
    | 'participant.left'
    | 'session.ended'
    | 'transcript.completed'
    | 'summary.completed'
}

/** The sets of records that a workspace holds. */

export type Section =
  | 'files.files'
  | 'catalog.products'
  | 'catalog.productPlans'
  | 'catalog.activities'
  | 'catalog.activityEntities'
  | 'crm.contacts'
  | 'crm.segments'
  | 'crm.teams'
  | 'crm.templates'
  | 'crm.pipelines'
  | 'crm.stages'
  | 'crm.deals'
  | 'crm.stageStays'
  | 'crm.activities'
  | 'crm.automations'
  | 'crm.executions'
  | 'crm.waitingSteps'
  | 'crm.unfinishedChanges'
  | 'crm.unseenEvents'
  | 'signage.groups'
  | 'signage.screens'
  | 'signage.pairingCodes'
  | 'signage.actions'
  | 'signage.media'
  | 'signage.playlists'
  | 'signage.playlistItems'
  | 'signage.layouts'
  | 'signage.layoutZones'
  | 'signage.schedules'
  | 'signage.scheduleRules'
  | 'signage.scheduleScreens'
  | 'signage.scheduleGroups'
  | 'signage.playbacks'
  | 'signage.playbackSums'
  | 'signage.deletedNames'
  | 'recruiting.vacancies'
  | 'recruiting.candidates'
  | 'recruiting.applications'
  | 'recruiting.stageChanges'
  | 'recruiting.notes'
  | 'recruiting.interviews'
  | 'recruiting.evaluations'
  | 'recruiting.imports'
  | 'recruiting.importRows'
  | 'forms.forms'
  | 'forms.responses'
  | 'payments.links'
  | 'payments.settlements'
  | 'payments.transactions'
  | 'payments.refunds'
  | 'integration-payments.products'
  | 'integration-payments.customers'
  | 'integration-payments.links'
  | 'integration-payments.charges'
  | 'tax-invoicing.certificates'
  | 'tax-invoicing.taxpayers'
  | 'tax-invoicing.series'
  | 'tax-invoicing.invoices'
  | 'tax-invoicing.stampedXml'
  | 'tax-invoicing.cancellations'
  | 'tax-invoicing.receipts'
  | 'tax-invoicing.receiptDocuments'
  | 'tax-invoicing.clients'
  | 'tax-invoicing.products'
  | 'lite-invoicing.taxpayers'
  | 'lite-invoicing.invoices'
  | 'conversations.counters'
  | 'conversations.inboxes'
  | 'conversations.teams'
  | 'conversations.agents'
  | 'conversations.contacts'
  | 'conversations.conversations'
  | 'conversations.messages'
  | 'meetings.meetings'
  | 'meetings.sessions'
  | 'meetings.participants'
  | 'webhooks.subscriptions'

/** Where each interface is mounted, and the header that takes its key; a bearer token where none is named. */

export const INTERFACES = {
  catalog: { basePath: '/workspace/public/v1' },
  crm: { basePath: '/crm/v1' },
  signage: { basePath: '/grid/v1' },
  recruiting: { basePath: '/recruiting/v1' },
  forms: { basePath: '/forms', header: 'X-API-Key' },
  payments: { basePath: '/pay/v1' },
  'integration-payments': { basePath: '/integration-pay', header: 'X-API-Key' },
  pos: { basePath: '/pos/public/v1' },
  'tax-invoicing': { basePath: '/einvoicing/v1' },
  'lite-invoicing': { basePath: '/einvoice-external', header: 'X-INVOICING-TOKEN' },
  conversations: { basePath: '/chat/api/v1', header: 'api_access_token' },
  meetings: { basePath: '/meetings', header: 'x-api-key' },
} as const

/** Each operation of the control plane. */

export const CALLS = {
  getLiveness: ['GET', '/health/live'],
  getHealth: ['GET', '/health'],
  createWorkspace: ['POST', '/workspaces'],
  listWorkspaces: ['GET', '/workspaces'],
  getWorkspace: ['GET', '/workspaces/{id}'],
  deleteWorkspace: ['DELETE', '/workspaces/{id}'],
  updateWorkspace: ['PATCH', '/workspaces/{id}'],
  createUser: ['POST', '/workspaces/{id}/users'],
  createKey: ['POST', '/keys'],
  listKeys: ['GET', '/keys'],
  deleteKey: ['DELETE', '/keys/{key}'],
  resetWorkspace: ['POST', '/workspaces/{id}/reset'],
  resetServer: ['POST', '/reset'],
  getSnapshot: ['GET', '/workspaces/{id}/snapshot'],
  putSnapshot: ['PUT', '/workspaces/{id}/snapshot'],
  saveSnapshot: ['POST', '/workspaces/{id}/snapshots'],
  listSnapshots: ['GET', '/workspaces/{id}/snapshots'],
  restoreSnapshot: ['POST', '/workspaces/{id}/snapshots/{name}/restore'],
  deleteSnapshot: ['DELETE', '/workspaces/{id}/snapshots/{name}'],
  cloneWorkspace: ['POST', '/workspaces/{id}/clone'],
  getClock: ['GET', '/workspaces/{id}/clock'],
  setClock: ['PUT', '/workspaces/{id}/clock'],
  listDue: ['GET', '/workspaces/{id}/clock/due'],
  advanceClock: ['POST', '/workspaces/{id}/clock/advance'],
  listTriggers: ['GET', '/triggers'],
  pullTrigger: ['POST', '/workspaces/{id}/triggers/{name}'],
  listMachines: ['GET', '/machines'],
  getMachine: ['GET', '/machines/{name}'],
  createSubscription: ['POST', '/workspaces/{id}/subscriptions'],
  listSubscriptions: ['GET', '/workspaces/{id}/subscriptions'],
  deleteSubscription: ['DELETE', '/workspaces/{id}/subscriptions/{subscriptionId}'],
  listDeliveries: ['GET', '/workspaces/{id}/deliveries'],
  redeliver: ['POST', '/workspaces/{id}/deliveries/{deliveryId}/redeliver'],
  listEmails: ['GET', '/workspaces/{id}/emails'],
  getEmail: ['GET', '/workspaces/{id}/emails/{emailId}'],
  getEmailFile: ['GET', '/workspaces/{id}/emails/{emailId}.eml'],
  getEmailAttachment: ['GET', '/workspaces/{id}/emails/{emailId}/attachments/{index}'],
  listRequests: ['GET', '/workspaces/{id}/requests'],
  deleteRequests: ['DELETE', '/workspaces/{id}/requests'],
  getRequest: ['GET', '/workspaces/{id}/requests/{requestId}'],
  listHints: ['GET', '/workspaces/{id}/hints'],
  listUnmatchedRequests: ['GET', '/requests'],
  createFault: ['POST', '/workspaces/{id}/faults'],
  listFaults: ['GET', '/workspaces/{id}/faults'],
  deleteFaults: ['DELETE', '/workspaces/{id}/faults'],
  deleteFault: ['DELETE', '/workspaces/{id}/faults/{faultId}'],
  listRecordSections: ['GET', '/workspaces/{id}/records'],
  listRecords: ['GET', '/workspaces/{id}/records/{section}'],
  getRecord: ['GET', '/workspaces/{id}/records/{section}/{recordId}'],
  getTimeline: ['GET', '/workspaces/{id}/timeline'],
  streamTimeline: ['GET', '/workspaces/{id}/stream'],
  getCoverage: ['GET', '/workspaces/{id}/coverage'],
  getServerCoverage: ['GET', '/coverage'],
  getScreenNow: ['GET', '/workspaces/{id}/signage/screens/{screen_id}/now'],
  getOpenapiOfInterface: ['GET', '/openapi/{interface}.json'],
  getOpenapi: ['GET', '/openapi.json'],
  getMetrics: ['GET', '/metrics'],
  getDocsPage: ['GET', '/docs'],
  getDashboard: ['GET', '/'],
  receiveWebhook: ['POST', '/receiver'],
} as const
