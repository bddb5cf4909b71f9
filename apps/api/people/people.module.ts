import { Module } from '@nestjs/common';

import { AuthModule } from '../auth/auth.module.js';
import { WriteModule } from '../write/write.module.js';
import { Accounts } from './accounts/accounts.js';
import { AddressReservations } from './accounts/address-reservations.js';
import { PersonalText } from './accounts/personal-text.js';
import { AuthController } from './auth.controller.js';
import { ChangePasswordHandler } from './change-password.js';
import { Fingerprints } from './credentials/fingerprints.js';
import { Passwords } from './credentials/passwords.js';
import { EraseMeHandler } from './erase-me.js';
import { LoginHandler } from './login.js';
import { LogoutHandler } from './logout.js';
import { LogoutEverywhereHandler } from './logout-everywhere.js';
import { Me } from './me.js';
import { RegisterHandler } from './register.js';
import { ExternalSignIn } from './sign-in/external-sign-in.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';
import { SignIns } from './sign-in/sign-ins.js';
import { UpdateMeHandler } from './update-me.js';

/** `/auth` */
@Module({
  imports: [AuthModule, WriteModule],
  controllers: [AuthController],
  providers: [
    Accounts,
    AddressReservations,
    PersonalText,
    Fingerprints,
    Passwords,
    SignInThrottle,
    SignIns,
    ExternalSignIn,
    Me,
    RegisterHandler,
    LoginHandler,
    LogoutHandler,
    LogoutEverywhereHandler,
    UpdateMeHandler,
    ChangePasswordHandler,
    EraseMeHandler,
  ],
  exports: [
    AuthModule,
    WriteModule,
    Accounts,
    AddressReservations,
    PersonalText,
    Fingerprints,
    Passwords,
    SignInThrottle,
    SignIns,
    ExternalSignIn,
    Me,
  ],
})
export class PeopleModule {}
