export const ownPackages: Record<string, string>
