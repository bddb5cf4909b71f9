import { isFootnoteError, type RoverBudget, type RoverPlanned, type RoverUsage } from '#contracts';
import type { ChatModel, ModelMeter, RejectedAnswer } from '#models';
import type { Logger } from '#platform';
import type { ModelTask } from '#research';

import type { RoverLease } from './rover-lease.js';
import type { StepRunner } from './step-runner.js';

/** Answers to one task: the first, and its repair. */
const MOST_ANSWERS = 2;
/** A request with less time than this is not sent, milliseconds. */
const LEAST_TIME_MS = 1_000;

export interface ModelPlannerDependencies {
  /** Null without a model that answers with objects. */
  readonly model: ChatModel | null;
  readonly lease: Pick<RoverLease, 'job'>;
  readonly steps: Pick<StepRunner, 'remainingMs'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The limits of one task. */
export interface TaskLimits {
  /** Model calls that are left for later steps. */
  readonly reservedCalls: number;
  /** Share of the remaining time, from 0 to 1. */
  readonly timeShare: number;
}

/** The decision of a model; without a plan the rules decide. */
export interface ModelDecision<Plan> {
  readonly plan: Plan | null;
  readonly planned?: RoverPlanned;
  readonly usage?: Partial<RoverUsage>;
}

/**
 * Takes decisions of a job by a model, within the budget of the job. After an answer of no use it
 * sends one repair with the problem. It fails only with the reason of the signal.
 */
export class ModelPlanner {
  constructor(private readonly dependencies: ModelPlannerDependencies) {}

  /** Returns whether a model is configured. */
  get hasModel(): boolean {
    return this.dependencies.model?.structured !== undefined;
  }

  /** @param task null if there is nothing to decide. */
  async decide<Answer, Plan>(
    task: ModelTask<Answer, Plan> | null,
    { reservedCalls, timeShare }: TaskLimits,
  ): Promise<ModelDecision<Plan>> {
    const { model, lease, steps, signal } = this.dependencies;
    if (!model?.structured || !task) return { plan: null };
    const timeoutMs = Math.floor(steps.remainingMs * timeShare);
    const spent = new SpentOfJob(lease.job.usage, lease.job.budget, reservedCalls);
    if (timeoutMs < LEAST_TIME_MS) return byRules('model_time', spent);
    let rejected: RejectedAnswer | undefined;
    for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
      const { schema, name, instructions, text } = task;
      const request = { name, schema, instructions, text, rejected, meter: spent, timeoutMs };
      const answer = await model.structured.ask(request, signal).catch(this.failed);
      signal.throwIfAborted();
      if (answer === null) return byRules('model_unavailable', spent);
      if (answer.kind === 'over_budget')
        return byRules(rejected ? 'model_rejected' : 'model_budget', spent);
      if (answer.kind === 'invalid') {
        rejected = answer;
        continue;
      }
      const read = task.read(answer.value);
      if ('plan' in read) {
        const planned = { by: 'model', model: model.id.slice(0, 200) } as const;
        return { plan: read.plan, planned, usage: spent.usage };
      }
      rejected = { text: JSON.stringify(answer.value).slice(0, 4_000), problem: read.problem };
    }
    return byRules('model_rejected', spent);
  }

  /** Returns null for a failure of the model; the message has no text of the prompt. */
  private readonly failed = (error: unknown): null => {
    const { signal, logger, lease } = this.dependencies;
    signal.throwIfAborted();
    const { rover_job_id } = lease.job;
    const reason = isFootnoteError(error) ? error.message : 'unexpected error';
    logger.warn(
      { rover_job_id, reason },
      'rover: the model did not plan a step; the rules plan it',
    );
    return null;
  };
}

function byRules<Plan>(
  why: Extract<RoverPlanned, { by: 'rules' }>['why'],
  { usage }: SpentOfJob,
): ModelDecision<Plan> {
  return { plan: null, planned: { by: 'rules', why }, usage };
}

/** Counts the requests of one step against the budget of its job. */
class SpentOfJob implements ModelMeter {
  private spent = { model_calls: 0, prompt_tokens: 0, completion_tokens: 0 };

  constructor(
    private readonly before: RoverUsage,
    private readonly budget: RoverBudget,
    private readonly reservedCalls: number,
  ) {}

  get usage(): Partial<RoverUsage> {
    return { ...this.spent };
  }

  allows(promptTokens: number): boolean {
    const { before, budget, spent } = this;
    const calls = before.model_calls + spent.model_calls + this.reservedCalls;
    const tokens = before.prompt_tokens + spent.prompt_tokens + promptTokens;
    return calls < budget.model_calls && tokens <= budget.prompt_tokens;
  }

  add({ promptTokens, completionTokens }: Parameters<ModelMeter['add']>[0]): void {
    const { model_calls, prompt_tokens, completion_tokens } = this.spent;
    this.spent = {
      model_calls: model_calls + 1,
      prompt_tokens: prompt_tokens + Math.max(0, Math.floor(promptTokens)),
      completion_tokens: completion_tokens + Math.max(0, Math.floor(completionTokens)),
    };
  }
}
