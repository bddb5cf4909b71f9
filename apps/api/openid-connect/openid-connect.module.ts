import { type FactoryProvider, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';

import { CLOCK, type Clock, type Config, LOGGER, type Logger } from '#platform';

import { CONFIG } from '../engines/engines.js';
import { PeopleModule } from '../people/people.module.js';
import { FinishSignInHandler } from './finish-sign-in.js';
import { OpenIdConnectController } from './openid-connect.controller.js';
import { PendingCookie } from './pending-cookie.js';
import { IDENTITY_PROVIDER, type IdentityProvider } from './provider/identity-provider.port.js';
import { TokenPeople } from './token-people.js';

const provider: FactoryProvider<IdentityProvider | null> = {
  provide: IDENTITY_PROVIDER,
  inject: [CONFIG, LOGGER, CLOCK],
  useFactory: async ({ identity, network }: Config, logger: Logger, clock: Clock) => {
    if (!identity) return null;
    // The library and the HTTP client are loaded only where a provider is configured.
    const { OpenIdConnectProvider } = await import('./provider/openid-connect-provider.js');
    const { allowPrivateNetworks } = network;
    return new OpenIdConnectProvider({ settings: identity, allowPrivateNetworks, logger, clock });
  },
};

/** `/auth/oidc`, and access tokens for `/mcp`. */
@Module({
  imports: [PeopleModule],
  controllers: [OpenIdConnectController],
  providers: [provider, PendingCookie, FinishSignInHandler, TokenPeople],
})
export class OpenIdConnectModule implements OnApplicationShutdown {
  constructor(@Inject(IDENTITY_PROVIDER) private readonly provider: IdentityProvider | null) {}

  async onApplicationShutdown(): Promise<void> {
    await this.provider?.close();
  }
}
