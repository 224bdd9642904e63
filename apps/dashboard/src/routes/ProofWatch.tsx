/** Opens the dialog that asks for a proof of who holds the session, when a request needs one. */
import { lazy, Suspense, useEffect, useState } from "react"
import { askWith } from "../api/proof.ts"

const ProofDialog = lazy(() => import("../features/account/ProofDialog.tsx"))

export const ProofWatch = () => {
  const [answer, setAnswer] = useState<((isProven: boolean) => void) | undefined>(undefined)
  useEffect(
    () =>
      askWith(
        () =>
          new Promise((resolve) => {
            setAnswer(() => (isProven: boolean) => {
              setAnswer(undefined)
              resolve(isProven)
            })
          })
      ),
    []
  )
  return answer === undefined ? null : (
    <Suspense>
      <ProofDialog onAnswer={answer} />
    </Suspense>
  )
}
