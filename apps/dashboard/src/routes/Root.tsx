/** The frame of every page. */
import { Outlet } from "@tanstack/react-router"
import { ProofWatch } from "./ProofWatch.tsx"

export const Root = () => (
  <>
    <Outlet />
    <ProofWatch />
  </>
)
