export declare function revisionOf(
  variables?: Readonly<Record<string, string | undefined>>,
  folder?: string,
): { readonly revision: string | null; readonly date: string | null }
