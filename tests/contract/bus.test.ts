/** Both buses keep the same contract. */
import * as InProcessBus from "@kanmon/bus/InProcessBus"
import * as BusContract from "@kanmon/testkit/BusContract"
import * as Nats from "../support/Nats.ts"

BusContract.suite("in one process", InProcessBus.layer())
BusContract.suite("NATS", Nats.bus)
