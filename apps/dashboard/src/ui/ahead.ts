/** Loads code before it is asked for, as a hint: where that fails, its reader learns so when it is asked for. */
export const ahead = (load: () => Promise<unknown>): void => void load().catch(() => undefined)
