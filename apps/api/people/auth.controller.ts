import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Patch,
  Post,
  Res,
  UseGuards,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import {
  ChangePasswordBody,
  EraseMeBody,
  LoginBody,
  MeView,
  RegisterBody,
  SignInMethodsView,
  UpdateMeBody,
} from '#contracts/http/index';
import type { Config } from '#platform';

import { NeedsScope, Public, SignedIn } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller, CurrentVisitor, type Visitor } from '../auth/caller.js';
import type { Session } from '../auth/session-tokens.js';
import { Sessions } from '../auth/sessions.js';
import { CONFIG } from '../engines/engines.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { ChangePassword } from './change-password.js';
import { EraseMe } from './erase-me.js';
import { Login } from './login.js';
import { Logout } from './logout.js';
import { LogoutEverywhere } from './logout-everywhere.js';
import { Me } from './me.js';
import { Register } from './register.js';
import { RegistrationGuard } from './registration.guard.js';
import { signedIn } from './signed-in.js';
import { UpdateMe } from './update-me.js';

/** `passthrough`: Nest answers, and the reply is for its cookies alone. */
const COOKIES = { passthrough: true } as const;

@ApiTags('people')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly commands: CommandBus,
    private readonly me: Me,
    private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'people' | 'identity'>,
  ) {}

  /** Creates a tenant and the account of its owner, and signs the owner in. */
  @Post('register')
  @Public()
  @UseGuards(RegistrationGuard)
  @Idempotent()
  @Problems(
    'not_found',
    'password_too_common',
    'address_taken',
    'malformed_json',
    'idempotency_key_reused',
    'unsupported_media_type',
    'rate_limited',
    'overloaded',
  )
  async register(
    @CurrentVisitor() visitor: Visitor,
    @Body() body: RegisterBody,
    @Res(COOKIES) reply: FastifyReply,
  ): Promise<MeView> {
    return this.begin(reply, await this.commands.execute(new Register(visitor, body)));
  }

  /** Returns the ways to sign in to this service. */
  @Get('methods')
  @Public()
  @Problems()
  methods(): SignInMethodsView {
    return {
      password: true,
      registration: this.config.people.allowRegistration,
      provider: this.config.identity !== undefined,
    };
  }

  /** Signs in. Sets the session's cookie, and a second one with the CSRF token. */
  @Post('login')
  @Public()
  @HttpCode(200)
  @Problems(
    'sign_in_failed',
    'malformed_json',
    'unsupported_media_type',
    'rate_limited',
    'overloaded',
  )
  async login(
    @CurrentVisitor() visitor: Visitor,
    @Body() body: LoginBody,
    @Res(COOKIES) reply: FastifyReply,
  ): Promise<MeView> {
    return this.begin(reply, await this.commands.execute(new Login(visitor, body)));
  }

  /** Ends the session. */
  @Post('logout')
  @SignedIn()
  @NeedsScope(null)
  @HttpCode(204)
  @Problems('sign_in_required', 'csrf_invalid')
  async logout(@CurrentCaller() caller: Caller, @Res(COOKIES) reply: FastifyReply): Promise<void> {
    await this.commands.execute(new Logout(caller));
    this.sessions.forget(reply);
  }

  /** Ends every session of the signed-in person, this one included. */
  @Post('logout-everywhere')
  @SignedIn()
  @NeedsScope(null)
  @HttpCode(204)
  @Problems('sign_in_required', 'csrf_invalid', 'concurrent_change')
  async logoutEverywhere(
    @CurrentCaller() caller: Caller,
    @Res(COOKIES) reply: FastifyReply,
  ): Promise<void> {
    await this.commands.execute(new LogoutEverywhere(caller));
    this.sessions.forget(reply);
  }

  /** Shows the signed-in person. */
  @Get('me')
  @SignedIn()
  @NeedsScope(null)
  @Problems('sign_in_required')
  show(@CurrentCaller() caller: Caller): Promise<MeView> {
    return this.viewOf(caller);
  }

  /** Changes how others see the signed-in person. */
  @Patch('me')
  @SignedIn()
  @NeedsScope(null)
  @Problems(
    'sign_in_required',
    'csrf_invalid',
    'malformed_json',
    'unsupported_media_type',
    'concurrent_change',
  )
  async update(@CurrentCaller() caller: Caller, @Body() body: UpdateMeBody): Promise<MeView> {
    await this.commands.execute(new UpdateMe(caller, body));
    return this.viewOf(caller);
  }

  /**
   * Erases the signed-in person, for good: the sessions end, address, name and password are
   * destroyed, and the address is free. What the person did stays under an id. The last owner of a
   * tenant makes another one first, or erases the tenant.
   */
  @Delete('me')
  @SignedIn()
  @NeedsScope(null)
  @HttpCode(204)
  @ApiBody({ type: EraseMeBody })
  @Problems(
    'sign_in_required',
    'csrf_invalid',
    'last_owner',
    'erasure_not_confirmed',
    'legal_hold',
    'malformed_json',
    'unsupported_media_type',
    'concurrent_change',
  )
  async erase(
    @CurrentCaller() caller: Caller,
    @Body() { confirm }: EraseMeBody,
    @Res(COOKIES) reply: FastifyReply,
  ): Promise<void> {
    await this.commands.execute(new EraseMe(caller, confirm));
    this.sessions.forget(reply);
  }

  /**
   * Changes the password. Every other session of the person ends; this one goes on with new
   * cookies.
   */
  @Post('password')
  @SignedIn()
  @NeedsScope(null)
  @HttpCode(200)
  @Problems(
    'password_too_common',
    'sign_in_required',
    'sign_in_failed',
    'csrf_invalid',
    'malformed_json',
    'unsupported_media_type',
    'concurrent_change',
    'rate_limited',
  )
  async password(
    @CurrentCaller() caller: Caller,
    @Body() body: ChangePasswordBody,
    @Res(COOKIES) reply: FastifyReply,
  ): Promise<MeView> {
    return this.begin(reply, await this.commands.execute(new ChangePassword(caller, body)));
  }

  private async begin(reply: FastifyReply, session: Session): Promise<MeView> {
    const view = await this.me.view(session);
    await this.sessions.give(reply, session);
    return view;
  }

  private viewOf(caller: Caller): Promise<MeView> {
    const { userId, sessionId, expiresAt } = signedIn(caller);
    return this.me.view({ userId, sessionId, endsAt: expiresAt });
  }
}
