/** What a target answered, as the database stores it. */
import { Capture } from "@kanmon/domain/Capture"
import * as Persisted from "@kanmon/platform/database/Persisted"

export const storedCapture = Persisted.make(Capture)
