/** Starts what the whole test run shares. */
export default async (): Promise<void> => {}
