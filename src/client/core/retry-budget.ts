const capacity = 500;
const retryCost = 5;

/** The budget of each operation, so that one that fails takes no retries from the others. */
export class RetryBudgets {
  readonly #budgets = new Map<string, RetryBudget>();

  of(operationId: string): RetryBudget {
    let budget = this.#budgets.get(operationId);
    if (!budget) {
      budget = new RetryBudget();
      this.#budgets.set(operationId, budget);
    }
    return budget;
  }
}

/**
 * Keeps retries from multiplying an outage, as the standard retry mode of AWS's SDKs does: 100 retries, then none until
 * calls succeed again. A call that succeeds after retries adds one retry, and one that succeeds without retries a fifth of one.
 */
export class RetryBudget {
  #left = capacity;

  /** Pays for a retry, if there is enough left. */
  take(): boolean {
    const isEnough = this.#left >= retryCost;
    if (isEnough) this.#left -= retryCost;
    return isEnough;
  }

  /** @param retries - how often the successful call was tried again */
  refill(retries: number): void {
    this.#left = Math.min(capacity, this.#left + (retries > 0 ? retryCost : 1));
  }
}
