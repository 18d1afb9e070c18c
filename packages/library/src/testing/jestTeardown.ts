/** Stops the simulator that `suite-simulator/jest/setup` started. */
import { started } from './jestStarted.ts'

const teardown = async (): Promise<void> => {
  await started()?.close()
}

export default teardown
