/** Both buses keep the same contract. */
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as BusContract from "@kanmon/testkit/BusContract"
import { describe } from "@effect/vitest"
import * as Nats from "../support/Nats.ts"
import * as NatsServer from "../support/NatsServer.ts"

BusContract.suite("in one process", InProcessBus.layer())
describe.skipIf(NatsServer.skipped)(`a server${NatsServer.note}`, () => BusContract.suite("NATS", Nats.bus))
