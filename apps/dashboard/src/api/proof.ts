/**
 * Requests that give lasting access need a recent proof of the session's owner. The component that shows dialogs asks
 * for it.
 */

/** Asks the visitor; false when they would rather not. */
type Asker = () => Promise<boolean>

let asker: Asker | undefined
let asking: Promise<boolean> | undefined

/** Says who asks. */
export const askWith = (ask: Asker): (() => void) => {
  asker = ask
  return () => {
    if (asker === ask) asker = undefined
  }
}

/** Whether the visitor has given a proof. Several requests at once ask once. */
export const askForProof = (): Promise<boolean> => {
  asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}
