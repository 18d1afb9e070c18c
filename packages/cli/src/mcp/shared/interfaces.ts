/** What a session calls: the interfaces of the suite, and the control plane beside them. */

export interface Interface {
  readonly name: string
  readonly title: string
  readonly basePath: string
}

export const CONTROL: Interface = { name: 'control', title: 'Control plane', basePath: '/_sim' }

export const isControl = ({ of }: { readonly of: Interface }): boolean => of.name === CONTROL.name

export const hasControl = (interfaces: readonly Interface[]): boolean =>
  interfaces.some((of) => isControl({ of }))
