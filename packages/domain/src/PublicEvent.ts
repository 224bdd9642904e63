/** Public events on their way to the bus. */

/** A public event, complete with its CloudEvents headers. */
export interface PublicEvent {
  /**
   * Repeats of an event have the same ID. The outbox replaces it by a secret digest: the bus drops duplicate IDs within two
   * minutes, so a predictable ID could be used to suppress an event.
   */
  readonly id: string
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}
