/** What a target answered, as the database stores it. */
import { Capture } from "@kanmon/domain/Capture"
import * as Persisted from "../platform/database/Persisted.ts"

export const storedCapture = Persisted.make(Capture)
