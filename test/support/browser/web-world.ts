import type { Browser, BrowserContext, Page } from 'playwright-core';

import type { IssuedInvitationView } from '#contracts/http/index';

import { ApiClient } from '../api-client.js';
import { TestRepository } from '../git-repository.js';
import { RegistrySite } from '../packages/registry-site.js';
import { Person } from '../person.js';
import { hostHarbor } from '../research/harbor.js';
import { RoverService } from '../research/rover-service.js';
import { TwoTenantService } from '../two-tenants.js';
import { watchProblems } from './page-problems.js';

const PASSWORD = 'correct horse battery staple';
const STEP_TIMEOUT_MS = 60_000;

const CART = `/** A cart of a shop. */
export class Cart {
  private readonly prices: number[] = [];

  /** Returns the total price of the cart, with tax. */
  total(tax: number): number {
    return this.prices.reduce((sum, price) => sum + price, 0) * (1 + tax);
  }
}
`;

/** Plans of which `single` allows one search an hour. */
export const TEST_PLANS = JSON.stringify({ standard: {}, single: { search: { hour: 1 } } });

interface Tenant {
  readonly tenant_id: string;
  readonly key: string;
}

/** A service with sources, packages, research and history, for tests of the page. */
export class WebWorld {
  /** Problems of all opened pages, as `watchProblems` collects them. */
  readonly problems: (readonly string[])[] = [];
  private readonly contexts: BrowserContext[] = [];

  private constructor(
    readonly service: TwoTenantService,
    /** An API key of the tenant, with all scopes. */
    readonly key: string,
    readonly tenantId: string,
    readonly sourceId: string,
    private readonly inviter: Person,
    private readonly host: RoverService,
    private readonly registry: RegistrySite,
  ) {}

  /** @param settings of the service, besides those of its hosts. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<WebWorld> {
    const host = new RoverService();
    hostHarbor(host);
    const registry = await RegistrySite.start();
    const feeding =
      '/** Feeds an okapi until it is full. */\nexport function feedOkapi(amount: number): number {\n  return amount;\n}\n';
    registry.npm('@acme/okapi', {
      '1.2.0': {
        content: {
          'package.json': '{"name": "@acme/okapi", "version": "1.2.0"}',
          'src/feeding.ts': feeding,
        },
        fields: { description: 'Feeds okapis', license: 'MIT' },
      },
    });
    const environment = { ...registry.environment, ...(await host.serveHost()), ...settings };
    const service = await TwoTenantService.start(environment);
    const repository = TestRepository.create(`${service.scratch}/shop`, {
      'cart.ts': CART,
      'rules.md': '# Discount rules\n\nA discount applies to a cart of ten items.\n',
    });
    const tenant = (await service.operate('create-tenant', { name: 'Zoo' })) as Tenant;
    const { token } = (await service.operate('invite-owner', {
      tenant_id: tenant.tenant_id,
    })) as { token: string };
    const inviter = await new Person(service.url).accept('inviter@example.com', token);
    const client = new ApiClient(service.url, tenant.key);
    const source = await client.createRepo('Shop', repository.url);
    await client.syncToEnd(source.id);
    repository.commit({ 'cart.ts': CART.replace('total(', 'grossTotal(') });
    await client.syncToEnd(source.id);
    return new WebWorld(service, tenant.key, tenant.tenant_id, source.id, inviter, host, registry);
  }

  /** Opens a page for a new person with this role, at the search. */
  async enter(browser: Browser, role: 'owner' | 'member' | 'auditor'): Promise<Page> {
    const { body } = await this.inviter.call<IssuedInvitationView>('POST', '/invitations', {
      role,
    });
    const { token = '' } = body;
    const context = await browser.newContext();
    this.contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    this.problems.push(watchProblems(page, new URL(this.service.url).origin));
    await page.goto(this.address(`join/${token}`));
    await page.getByLabel('E-mail address').fill(`${role}${this.contexts.length}@example.com`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    return page;
  }

  /** Returns the header that requests of a page's session need besides its cookie. */
  async csrfHeaders(page: Page): Promise<Record<string, string>> {
    const me = await page.request.get(`${this.service.url}/auth/me`);
    const { csrf_token: token } = (await me.json()) as { csrf_token: string };
    return { 'x-csrf-token': token };
  }

  /** Puts the tenant on a plan of the service. */
  changePlan(plan: string): Promise<unknown> {
    return this.service.operate('change-plan', { tenant_id: this.tenantId, plan });
  }

  /** Creates an empty tenant. Returns the token that makes its owner. */
  async inviteToNewTenant(): Promise<string> {
    const { tenant_id } = (await this.service.operate('create-tenant', { name: 'New' })) as Tenant;
    return ((await this.service.operate('invite-owner', { tenant_id })) as { token: string }).token;
  }

  /** Returns the address of a place of the page. */
  address(place: string): string {
    return `${this.service.url}/ui/#/${place}`;
  }

  async dispose(): Promise<void> {
    for (const context of this.contexts) await context.close();
    await this.service.dispose();
    await this.host.stop();
    await this.registry.stop();
  }
}
