#version 150
#include lights.glsl
#include ghosts.glsl
#include noise.glsl
#include materials.glsl
uniform mat4 p3d_ViewMatrixInverse;
#ifdef BAKE
uniform float brightest;   // albedo of a texel of 1
#endif
in vec3 world, normal, local;
flat in vec4 colour;
in vec4 shadow_place;
out vec4 result;

Spot spot(vec3 n) {
    vec3 face = normalize(cross(dFdx(local), dFdy(local)) + 1e-9);
    bool top = abs(n.z) > .6;
    vec2 uv = top ? local.xy : vec2(dot(local.xy, normalize(vec2(-face.y, face.x) + 1e-6)), local.z);
    return Spot(world, local, uv, top, n.z, fbm(world * .55 + 4.), fbm(world * 2.3), noise3(world * 21.));
}

// The normal of a height field given only as numbers per pixel, by screen-space derivatives.
vec3 bumped(vec3 n, float height, float bump) {
    vec3 dx = dFdx(world), dy = dFdy(world), a = cross(dy, n), b = cross(n, dx);
    float det = dot(dx, a);
    vec3 g = bump * sign(det) * (dFdx(height) * a + dFdy(height) * b) / max(abs(det), 1e-9);
    g *= min(1., .85 / max(length(g), 1e-5));
    return normalize(n - g);
}

float sunlit() {
    float rotation = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(.06711056, .00583715)))) * 6.2832, lit = 0.;
    for (int i = 0; i < 12; i++) {
        float r = sqrt((float(i) + .5) / 12.) * shadow_softness, t = rotation + float(i) * 2.39996;
        lit += texture(shadow_map, shadow_place.xyz + vec3(vec2(cos(t), sin(t)) * r, 0));
    }
    return lit / 12.;
}

void main() {
#ifdef VEIL
    if (mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.) < 1.) discard;
#endif
#ifdef WATER
    if (texture(shore, world.xy / board_size).r > .006) discard;
#endif
    int material = int(colour.a * 255. / 16. + .5);
    vec3 flat_normal = normalize(normal), view = normalize(p3d_ViewMatrixInverse[3].xyz - world);
    Surface s = surface(material, colour.rgb, spot(flat_normal));
    vec3 n = bumped(flat_normal, s.height, s.bump);
#ifdef BAKE
    // Albedo with the bumps' own shading in it, for the quality levels that cannot afford either per pixel.
    float shade = clamp(.45 + .55 * max(dot(n, sun_direction), 0.) / max(dot(flat_normal, sun_direction), .25), .5, 1.5);
    result = vec4(sqrt(clamp(s.albedo * shade / brightest, 0., 1.)), 1.);
    return;
#endif
    if (material != 12 && is_sifted()) discard;     // figures are not
    float lit = sunlit(), direct = max(dot(n, sun_direction), 0.) * lit;
    vec3 h = normalize(sun_direction + view);
    float nh = max(dot(n, h), 0.), nv = max(dot(n, view), 1e-3), alpha = s.rough * s.rough;
    alpha *= alpha;
    float lobe = alpha / (3.1416 * pow(nh * nh * (alpha - 1.) + 1., 2.) + 1e-5);
    vec3 f0 = mix(vec3(s.specular), s.albedo, s.metal);
    float grazing = pow(1. - nv, 5.);
    vec3 fresnel = f0 + (1. - f0) * pow(1. - max(dot(view, h), 0.), 5.) * (1. - s.rough);
    vec3 ambient = mix(ground_colour, sky_colour, n.z * .5 + .5), mirrored = reflect(-view, n);
    vec3 around = mix(ground_colour, sky_colour * 1.7, smoothstep(-.3, .7, mirrored.z)) + sun_colour * .10 * pow(max(dot(mirrored, sun_direction), 0.), 6.) * (.3 + .7 * lit);
    vec3 diffuse = s.albedo * (1. - s.metal);
    float rim = max(dot(n, rim_direction), 0.);
    vec3 c = diffuse * (ambient + direct * sun_colour + rim * rim_colour) + min(lobe * .25, 6.) * fresnel * direct * sun_colour
           + around * (f0 + (max(vec3(1. - s.rough), f0) - f0) * grazing) * (1. - .55 * s.rough);
    c += s.metal * (s.albedo * ambient * .35 + f0 * rim * rim_colour * .3);
    for (int i = 0; i < lamp_count; i++) {
        vec3 l = lamp_places[i].xyz - world;
        float d2 = dot(l, l), reach = lamp_places[i].w;
        float fade = pow(clamp(1. - d2 / (reach * reach), 0., 1.), 2.) * 1.6 / (d2 * .32 + .85);
        if (fade > 0.) {
            l *= inversesqrt(d2);
            float k = max((dot(n, l) + .18) / 1.18, 0.);
            vec3 hl = normalize(l + view);
            c += fade * lamp_colours[i] * (diffuse * k + s.albedo * s.metal * k * .4 + f0 * pow(max(dot(n, hl), 0.), mix(60., 10., s.rough)) * k * .8);
        }
    }
    if (s.glow > 0.) c = pow(colour.rgb, vec3(2.2)) * 3.6;
    if (material == 15) c = mix(c, fog_colour, smoothstep(14., 58., length((world.xy - board_size * .5) * vec2(.8, 1.))));
    // Alpha says how much the composite may brighten edges: not figures, hardly water and glow.
    result = vec4(c, material == 12 ? 0. : (material == 9 || material == 15 || material == 6 ? .25 : 1.));
}
