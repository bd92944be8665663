const capacity = 500;
const retryCost = 5;

/** Retry budgets by operation, so that a failing operation does not use up the retries of others. */
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
 * Limits retries during an outage, like the standard retry mode of the AWS SDKs. Allows 100 retries, then stops until calls
 * succeed again. A call that succeeds after retries adds one retry, or all that it made after 429, because a limit of requests per second is
 * no outage. One that succeeds without retries adds a fifth of one.
 */
export class RetryBudget {
  #left = capacity;

  /** Takes a retry from the budget. Returns whether there was one left. */
  take(): boolean {
    const isEnough = this.#left >= retryCost;
    if (isEnough) this.#left -= retryCost;
    return isEnough;
  }

  /**
   * @param retries - number of retries of the successful call
   * @param limited - how many of them followed a 429
   */
  refill(retries: number, limited: number): void {
    this.#left = Math.min(capacity, this.#left + (retries > 0 ? retryCost * Math.max(1, limited) : 1));
  }
}
