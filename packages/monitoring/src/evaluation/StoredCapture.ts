/** The capture of a target's response in its stored form. */
import { Capture } from "@kanmon/domain/Capture"
import * as Persisted from "@kanmon/platform/database/Persisted"

export const storedCapture = Persisted.make(Capture)
