export interface Link {
  readonly id: string
  readonly url: string
}

export class Shop {
  constructor(suite: { readonly url: string; readonly key: string })
  sell(order: {
    readonly amount: number
    readonly currency: string
    readonly description: string
    readonly expires_at?: string
  }): Promise<Link>
  isPaid(linkId: string): Promise<boolean>
}
